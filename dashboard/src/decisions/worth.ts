// What a rule is worth a month: measured on what it served, else expected from what was seen when it was proposed.
import { type Decision, readProposal, readScore } from './score.ts'

export type Worth = { readonly usd: number; readonly kind: 'measured' | 'expected' }

/** Null where less than a day was seen, or no price is known. */
export function findWorth(decision: Pick<Decision, 'state' | 'score' | 'config'>): Worth | null {
  const measured = readScore(decision)?.monthlyUsd ?? null
  if (decision.state === 'active' && measured !== null) return { usd: measured, kind: 'measured' }
  const expected = readProposal(decision)?.monthlyUsd ?? null
  return expected === null ? null : { usd: expected, kind: 'expected' }
}

/** Since when the decision is in its state. */
export function findSince(decision: Decision): string {
  const { state, proposed_at: proposed, shadow_at: shadow, activated_at: activated, disabled_at: disabled } = decision
  const times: Readonly<Record<string, string | null>> = { proposed, shadow, active: activated, disabled }
  return times[state] ?? decision.created_at
}

const dayMs = 86_400_000

/** The median of the days that decisions have been in their state; null where there is none. */
export function medianDays(decisions: readonly Decision[], nowMs: number): number | null {
  const days = decisions.map((decision) => (nowMs - Date.parse(findSince(decision))) / dayMs).toSorted((a, b) => a - b)
  const middle = days.length >> 1
  const [upper, lower] = [days[middle], days[middle - 1]]
  if (upper === undefined) return null
  return Math.max(0, days.length % 2 === 1 || lower === undefined ? upper : (lower + upper) / 2)
}

export type Sum = { readonly usd: number; readonly kind: Worth['kind']; readonly unknown: number }

/** Of a column of the board; null where the worth of none is known. `unknown`: how many the sum lacks. */
export function sumWorth(decisions: readonly Decision[]): Sum | null {
  const all = decisions.map(findWorth)
  const known = all.filter((worth) => worth !== null)
  if (known.length === 0) return null
  return {
    usd: known.reduce((sum, { usd }) => sum + usd, 0),
    kind: known.every(({ kind }) => kind === 'measured') ? 'measured' : 'expected',
    unknown: all.length - known.length,
  }
}
