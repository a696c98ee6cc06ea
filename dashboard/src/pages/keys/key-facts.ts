// Facts about a key that follow from its dates.
import type { Schemas } from '../../api/client.ts'
import { formatAge } from '../../format/index.ts'

export type Key = Schemas['Key']

const staleMs = 90 * 86_400_000

/** Splits keys into live and revoked ones. Both keep the given order. */
export function partKeys(keys: readonly Key[]): { readonly live: readonly Key[]; readonly revoked: readonly Key[] } {
  const { live = [], revoked = [] } = Object.groupBy(keys, (key) => (key.revoked_at === null ? 'live' : 'revoked'))
  return { live, revoked }
}

/** Returns the reason why a live key may be unused: it is older than 90 days, or was not used for as long. Null: it is in use, or new. */
export function findIdleness({ created_at: created, last_used_at: used }: Key, nowMs: number): string | null {
  const isOld = (time: string): boolean => nowMs - Date.parse(time) > staleMs
  if (used === null) return isOld(created) ? 'never used' : null
  return isOld(used) ? `not used for ${formatAge(used, nowMs)}` : null
}

/** Describes the effect of revoking the key. */
export function describeRevocation({ last_used_at: used }: Key, nowMs: number): string {
  const use = used === null ? 'It has never been used.' : `It was last used ${formatAge(used, nowMs)} ago.`
  return `${use} Agents that send this key are refused within one second, and it cannot be brought back.`
}
