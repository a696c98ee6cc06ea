// SDK. Counters of what the client has done so far. Only they show why a call was not served.
import type { Unstored } from './seal-results.ts'
import type { OfferMiss } from './serving/offer-result.ts'

/** `not_decoded`: the stored result could not be decoded. `stub_failed`: the tool's stub threw or returned a promise. */
export type MissReason = OfferMiss | 'not_decoded' | 'stub_failed'

/** Where a served result came from. */
export type ServedFrom = 'memory' | 'shared' | 'fetched' | 'stub'

export type Stats = {
  /** Rules in force now. */
  readonly rules: number
  readonly served: number
  /** Served calls by source: the memory of the process, an equal call in progress, the service, the tool's stub. */
  readonly servedFrom: Readonly<Record<ServedFrom, number>>
  readonly heldOut: number
  /** Size of the results in memory. */
  readonly memoryBytes: number
  /** Calls that a rule covered but that ran for real, by reason. */
  readonly missed: Readonly<Partial<Record<MissReason, number>>>
  /** Results of attested tools that were not stored, by reason. */
  readonly unstored: Readonly<Partial<Record<Unstored, number>>>
  readonly droppedSpans: number
  /** Spans that the service rejected. */
  readonly rejectedSpans: number
  /** Internal errors of this client. They did not affect the calls. */
  readonly faults: number
}

export type StatsKeeper = {
  readonly served: (from: ServedFrom) => void
  readonly heldOut: () => void
  readonly missed: (reason: MissReason) => void
  readonly unstored: (reason: Unstored) => void
  readonly dropped: (spans: number) => void
  readonly rejected: (spans: number) => void
  readonly fault: () => void
  readonly read: (rules: number, memoryBytes: number) => Stats
}

export function makeStats(): StatsKeeper {
  const counts = { served: 0, heldOut: 0, droppedSpans: 0, rejectedSpans: 0, faults: 0 }
  const servedFrom: Record<ServedFrom, number> = { memory: 0, shared: 0, fetched: 0, stub: 0 }
  const missed: Partial<Record<MissReason, number>> = {}
  const unstored: Partial<Record<Unstored, number>> = {}
  return {
    served(from) {
      counts.served += 1
      servedFrom[from] += 1
    },
    heldOut: () => void (counts.heldOut += 1),
    missed: (reason) => void (missed[reason] = (missed[reason] ?? 0) + 1),
    unstored: (reason) => void (unstored[reason] = (unstored[reason] ?? 0) + 1),
    dropped: (spans) => void (counts.droppedSpans += spans),
    rejected: (spans) => void (counts.rejectedSpans += spans),
    fault: () => void (counts.faults += 1),
    read: (rules, memoryBytes) => ({
      rules,
      memoryBytes,
      ...counts,
      servedFrom: { ...servedFrom },
      missed: { ...missed },
      unstored: { ...unstored },
    }),
  }
}
