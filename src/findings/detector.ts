// The interface of detectors: what they receive and what they return.
import { type ObservationPeriod, wordSpan } from '../pricing/monthly.ts'
import type { PriceBook } from '../pricing/price-book.ts'
import type { Runner } from '../store/database.ts'
import type { severities } from './finding-shape.ts'
import type { WindowMeasures } from './measure-window.ts'
import { count } from './wording.ts'

export type Severity = (typeof severities)[number]

/** What a detector reports about one subject. The same events give the same result, regardless of when they arrived. */
export type FindingDraft = {
  /** Identifies the finding permanently among all of its type, so that it is updated and not repeated. */
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
  /** Null if no event reports a price, or if less than 24 hours were observed. */
  readonly estMonthlyCostUsd: number | null
  readonly evidence: { readonly trace_ids: readonly string[]; readonly [name: string]: unknown }
  /** The decision that would remedy the finding; of several inputs, that of the first one with a decision. Null: no decision can. */
  readonly decision: { readonly type: string; readonly inputHashes: readonly string[] | null } | null
  readonly firstSeen: Date
  readonly lastSeen: Date
}

export type ScanContext = {
  /** Runs one statement with a time limit. */
  readonly rows: Runner['rows']
  readonly workspaceId: string
  readonly nowMs: number
  /** Returns the measurements of the rollups, which are read once for all detectors. */
  readonly measured: () => Promise<WindowMeasures>
  readonly prices: PriceBook
}

export type Detector = {
  readonly type: string
  /** How far back the detector scans. Older evidence no longer counts. */
  readonly lookBackMs: number
  /** Returns at most 50 findings. Throws Outage, also if a statement took too long. */
  readonly detect: (scan: ScanContext) => Promise<readonly FindingDraft[]>
}

/** Which events one statement scanned, newest first. */
export type ScanCoverage = {
  readonly scanned_events: number
  /** The scan stopped before the start of the window: the newest events are a sample of the window. */
  readonly is_cut: boolean
  readonly scanned_from: Date | null
}

/** Returns the window of a scan. */
export const windowOf = ({ nowMs }: ScanContext, lookBackMs: number): { from: Date; to: Date } => ({
  from: new Date(nowMs - lookBackMs),
  to: new Date(nowMs),
})

/** Returns the time that the scan covers: the whole look-back, or as far as its sample reaches. */
function coveredSpan({ nowMs }: ScanContext, lookBackMs: number, coverage: ScanCoverage): ObservationPeriod {
  const fromMs = nowMs - lookBackMs
  if (!coverage.is_cut || coverage.scanned_from === null) return { fromMs, toMs: nowMs }
  return { fromMs: Math.max(fromMs, coverage.scanned_from.getTime()), toMs: nowMs }
}

/** Returns the time over which the subject was observed within what the scan covers. `observed_from` null: all of it. */
export function observedSpan(
  scan: ScanContext,
  lookBackMs: number,
  row: ScanCoverage & { readonly observed_from: Date | null },
): ObservationPeriod {
  const { fromMs, toMs } = coveredSpan(scan, lookBackMs, row)
  return { fromMs: Math.max(fromMs, row.observed_from?.getTime() ?? fromMs), toMs }
}

/** Returns the scanned time for a title: "the last 24 hours". */
export const wordPeriod = (scan: ScanContext, lookBackMs: number, coverage: ScanCoverage): string =>
  wordSpan(coveredSpan(scan, lookBackMs, coverage))

/** Returns the scanned time for a sentence, and whether it is a sample. */
export function wordCovered(scan: ScanContext, lookBackMs: number, coverage: ScanCoverage): string {
  const words = wordPeriod(scan, lookBackMs, coverage)
  return coverage.is_cut ? `${words} (a sample of ${count(coverage.scanned_events, 'event')})` : words
}

/** Returns the look-back for the evidence of a finding that is about all of it. */
export const describeWhole = (lookBackMs: number): Record<string, unknown> => ({
  hours: lookBackMs / 3_600_000,
  is_sample: false,
})

/**
 * Returns the scanned time for the evidence. For a scan of the whole window, it contains nothing that changes from one scan to the next.
 */
export function describeCoverage(lookBackMs: number, coverage: ScanCoverage): Record<string, unknown> {
  const whole = describeWhole(lookBackMs)
  if (!coverage.is_cut) return whole
  return {
    ...whole,
    is_sample: true,
    newest_events: coverage.scanned_events,
    from: coverage.scanned_from?.toISOString() ?? null,
  }
}
