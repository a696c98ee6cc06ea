// What a detector is: what it is given to look with, and what it finds.
import { type Span, wordSpan } from '../pricing/monthly.ts'
import type { PriceBook } from '../pricing/price-book.ts'
import type { Runner } from '../store/database.ts'
import type { severities } from './finding-shape.ts'
import type { Measured } from './measure-window.ts'
import { count } from './wording.ts'

export type Severity = (typeof severities)[number]

/** What a detector says of one subject. The same events give the same, whenever they arrived. */
export type Found = {
  /** Names it among all of its type for good, so that it is updated and not repeated. */
  readonly subject: string
  readonly severity: Severity
  /** One line: what happened. */
  readonly title: string
  /** Sentences: what happened, what to do, and how it was priced. */
  readonly detail: string
  readonly agentId: string | null
  readonly toolName: string | null
  readonly model: string | null
  readonly occurrences: number
  /** Null where no event reports a price, and where less than 24 hours were observed. */
  readonly estMonthlyCostUsd: number | null
  readonly evidence: { readonly trace_ids: readonly string[]; readonly [name: string]: unknown }
  /** The decision that would do something about it; of several inputs the first that has one. Null: no decision can. */
  readonly decision: { readonly type: string; readonly inputHashes: readonly string[] | null } | null
  readonly firstSeen: Date
  readonly lastSeen: Date
}

export type Look = {
  /** Runs one statement, bounded in time. */
  readonly rows: Runner['rows']
  readonly workspaceId: string
  readonly nowMs: number
  /** What the rollups tell, read once for all detectors. */
  readonly measured: () => Promise<Measured>
  readonly prices: PriceBook
}

export type Detector = {
  readonly type: string
  /** How far back it looks; evidence older than this is gone. */
  readonly lookBackMs: number
  /** Gives at most 50. Throws Outage, also where a statement took too long. */
  readonly detect: (look: Look) => Promise<readonly Found[]>
}

/** What one statement found of the events that it looked at, newest first. */
export type Reach = {
  readonly looked_at: number
  /** It stopped before the window's start: the newest events are a sample of the window. */
  readonly is_cut: boolean
  readonly looked_from: Date | null
}

/** The window of a look. */
export const windowOf = ({ nowMs }: Look, lookBackMs: number): { from: Date; to: Date } => ({
  from: new Date(nowMs - lookBackMs),
  to: new Date(nowMs),
})

/** What the look covers: the whole look-back, or as far as its sample reaches. */
function coveredSpan({ nowMs }: Look, lookBackMs: number, reach: Reach): Span {
  const fromMs = nowMs - lookBackMs
  if (!reach.is_cut || reach.looked_from === null) return { fromMs, toMs: nowMs }
  return { fromMs: Math.max(fromMs, reach.looked_from.getTime()), toMs: nowMs }
}

/** Since when the subject was observed within what the look covers; `observed_from` null: for all of it. */
export function observedSpan(
  look: Look,
  lookBackMs: number,
  row: Reach & { readonly observed_from: Date | null },
): Span {
  const { fromMs, toMs } = coveredSpan(look, lookBackMs, row)
  return { fromMs: Math.max(fromMs, row.observed_from?.getTime() ?? fromMs), toMs }
}

/** What was looked at, for a sentence: the last 24 hours. */
export function wordCovered(look: Look, lookBackMs: number, reach: Reach): string {
  const words = wordSpan(coveredSpan(look, lookBackMs, reach))
  return reach.is_cut ? `${words} (a sample of ${count(reach.looked_at, 'event')})` : words
}

/** What was looked at, for the evidence. Of a whole look nothing that changes from one look to the next. */
export function describeReach(lookBackMs: number, reach: Reach): Record<string, unknown> {
  const hours = lookBackMs / 3_600_000
  if (!reach.is_cut) return { hours, is_sample: false }
  return { hours, is_sample: true, newest_events: reach.looked_at, from: reach.looked_from?.toISOString() ?? null }
}
