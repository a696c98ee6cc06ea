// SDK. What the client has done so far, in numbers: the only place where it says why something was not served.
import type { Unstored } from './seal-results.ts'
import type { OfferMiss } from './serving/offer-result.ts'

/** `not_decoded`: the tool's `decode` threw. `stub_failed`: its stub did, or it returned a promise. */
export type MissReason = OfferMiss | 'not_decoded' | 'stub_failed'

/** Where a served result came from. */
export type ServedFrom = 'memory' | 'shared' | 'fetched' | 'stub'

export type Stats = {
  /** In force now. */
  readonly rules: number
  readonly served: number
  /** Of the served: by the process's memory, by an equal call under way, by the service, by the tool's stub. */
  readonly servedFrom: Readonly<Record<ServedFrom, number>>
  readonly heldOut: number
  /** Of results in memory. */
  readonly memoryBytes: number
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
