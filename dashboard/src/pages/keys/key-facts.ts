// What the dates of a key say about it.
import type { Schemas } from '../../api/client.ts'
import { formatAge } from '../../format/index.ts'

export type Key = Schemas['Key']

const staleMs = 90 * 86_400_000

/** Live keys and revoked ones, in the order that they came in. */
export function partKeys(keys: readonly Key[]): { readonly live: readonly Key[]; readonly revoked: readonly Key[] } {
  const { live = [], revoked = [] } = Object.groupBy(keys, (key) => (key.revoked_at === null ? 'live' : 'revoked'))
  return { live, revoked }
}

/** Why a live key may be one that nobody needs; null: it is in use, or new. */
export function findIdleness({ created_at: created, last_used_at: used }: Key, nowMs: number): string | null {
  const isOld = (time: string): boolean => nowMs - Date.parse(time) > staleMs
  if (used === null) return isOld(created) ? 'never used' : null
  return isOld(used) ? `not used for ${formatAge(used, nowMs)}` : null
}

/** What ends when the key is revoked. */
export function describeRevocation({ last_used_at: used }: Key, nowMs: number): string {
  const use = used === null ? 'It has never been used.' : `It was last used ${formatAge(used, nowMs)} ago.`
  return `${use} Agents that send this key are refused within one second, and it cannot be brought back.`
}
