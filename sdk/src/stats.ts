// SDK. What the client has done so far, in numbers: the only place where it says why something was not served.
import type { Miss } from './fetch-result.ts'
import type { Unstored } from './seal-results.ts'

export type MissReason = Miss | 'not_decoded'

export type Stats = {
  /** In force now. */
  readonly rules: number
  readonly served: number
  readonly heldOut: number
  /** Calls that a rule covered and that ran for real all the same, by reason. */
  readonly missed: Readonly<Partial<Record<MissReason, number>>>
  /** Results of attested tools that were not attached, by reason. */
  readonly unstored: Readonly<Partial<Record<Unstored, number>>>
  readonly droppedSpans: number
  /** Spans that the service did not take. */
  readonly rejectedSpans: number
  /** Faults of this client that a call did not notice. */
  readonly faults: number
}

export type StatsKeeper = {
  readonly served: () => void
  readonly heldOut: () => void
  readonly missed: (reason: MissReason) => void
  readonly unstored: (reason: Unstored) => void
  readonly dropped: (spans: number) => void
  readonly rejected: (spans: number) => void
  readonly fault: () => void
  readonly read: (rules: number) => Stats
}

export function makeStats(): StatsKeeper {
  const counts = { served: 0, heldOut: 0, droppedSpans: 0, rejectedSpans: 0, faults: 0 }
  const missed: Partial<Record<MissReason, number>> = {}
  const unstored: Partial<Record<Unstored, number>> = {}
  return {
    served: () => void (counts.served += 1),
    heldOut: () => void (counts.heldOut += 1),
    missed: (reason) => void (missed[reason] = (missed[reason] ?? 0) + 1),
    unstored: (reason) => void (unstored[reason] = (unstored[reason] ?? 0) + 1),
    dropped: (spans) => void (counts.droppedSpans += spans),
    rejected: (spans) => void (counts.rejectedSpans += spans),
    fault: () => void (counts.faults += 1),
    read: (rules) => ({ rules, ...counts, missed: { ...missed }, unstored: { ...unstored } }),
  }
}
