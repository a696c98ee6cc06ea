// Compares what a suppress_dead rule changes in a session: sessions that it served against those that it held out, which are drawn at
// random.
import type { Runner } from '../../store/database.ts'
import { roundTo, shareDecimals, usdDecimals } from '../gate/round.ts'

/** Means per session, and the 95 % confidence interval of their difference. Fields are null if one side has fewer than five sessions. */
export type Comparison = {
  readonly served: number | null
  readonly held_out: number | null
  /** Served minus held out. */
  readonly difference: number | null
  readonly lower: number | null
  readonly upper: number | null
  /** Numbers of served and of held-out sessions. */
  readonly sessions: readonly [number, number]
}

const measures = ['llm_calls', 'cost_usd', 'errors', 'quality'] as const
export type SessionComparisons = Readonly<Record<(typeof measures)[number], Comparison>>

type Side = {
  readonly is_served: boolean
  readonly measure: string
  readonly sessions: number
  readonly mean: number
  readonly variance: number | null
}

const maxCalls = 2_000
const minSessions = 5
/** Quantile of the normal distribution for a 95 % interval. */
const deviations = 1.959964

/** Compares the sessions of the newest 2,000 served and 2,000 held-out calls since `sinceUs` (Unix microseconds). One statement. */
export async function compareOutcomes(
  db: Pick<Runner, 'rows'>,
  { workspaceId, decisionId }: { readonly workspaceId: string; readonly decisionId: string },
  sinceUs: number,
): Promise<SessionComparisons> {
  const sides = await db.rows<Side>('decisions/compare-sessions', [workspaceId, decisionId, sinceUs, maxCalls])
  const sideOf = (measure: string, isServed: boolean): Side | undefined =>
    sides.find((side) => side.measure === measure && side.is_served === isServed)
  const compared = measures.map((measure) => {
    const decimals = measure === 'cost_usd' ? usdDecimals : shareDecimals
    return [measure, compare(sideOf(measure, true), sideOf(measure, false), decimals)]
  })
  return Object.fromEntries(compared) as SessionComparisons
}

function compare(served: Side | undefined, heldOut: Side | undefined, decimals: number): Comparison {
  const sessions = [served?.sessions ?? 0, heldOut?.sessions ?? 0] as const
  if (served === undefined || heldOut === undefined || Math.min(...sessions) < minSessions)
    return { served: null, held_out: null, difference: null, lower: null, upper: null, sessions }
  const difference = served.mean - heldOut.mean
  const margin =
    deviations * Math.sqrt((served.variance ?? 0) / served.sessions + (heldOut.variance ?? 0) / heldOut.sessions)
  return {
    served: roundTo(served.mean, decimals),
    held_out: roundTo(heldOut.mean, decimals),
    difference: roundTo(difference, decimals),
    lower: roundTo(difference - margin, decimals),
    upper: roundTo(difference + margin, decimals),
    sessions,
  }
}
