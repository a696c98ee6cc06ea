// The monthly worth of a rule: measured on what it served, otherwise estimated from the calls of its tool.
import { type Decision, type Proposal, readProposal, readScore } from './score.ts'

/** `basis`: the calls by which it is expected; null if it is measured. */
export type Worth = {
  readonly usd: number
  readonly kind: 'measured' | 'expected'
  readonly basis: Proposal | null
}

/** Returns null if less than a day was observed, or no price is known. */
export function findWorth(decision: Pick<Decision, 'state' | 'score' | 'config'>): Worth | null {
  const measured = readScore(decision)?.monthlyUsd ?? null
  if (decision.state === 'active' && measured !== null) return { usd: measured, kind: 'measured', basis: null }
  const basis = readProposal(decision)
  const expected = basis?.monthlyUsd ?? null
  return expected === null ? null : { usd: expected, kind: 'expected', basis }
}

/** Returns the time at which the decision entered its present state. */
export function findSince(decision: Decision): string {
  const { state, proposed_at: proposed, shadow_at: shadow, activated_at: activated, disabled_at: disabled } = decision
  const times: Readonly<Record<string, string | null>> = { proposed, shadow, active: activated, disabled }
  return times[state] ?? decision.created_at
}

const dayMs = 86_400_000

/** Returns the median number of days that the decisions have been in their state; null if there are no decisions. */
export function medianDays(decisions: readonly Decision[], nowMs: number): number | null {
  const days = decisions.map((decision) => (nowMs - Date.parse(findSince(decision))) / dayMs).toSorted((a, b) => a - b)
  const middle = days.length >> 1
  const [upper, lower] = [days[middle], days[middle - 1]]
  if (upper === undefined) return null
  return Math.max(0, days.length % 2 === 1 || lower === undefined ? upper : (lower + upper) / 2)
}

export type Sum = { readonly usd: number; readonly kind: Worth['kind']; readonly unknown: number }

/** Sums a column of the board. `unknown`: how many decisions the sum leaves out. Null: the worth of no decision is known. */
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
