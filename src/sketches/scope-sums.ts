// The sums of the spans of each instrumentation scope, by minute and kind: they show which library sends spans that cannot be understood.
import { type Kind, kinds } from '../event/event.ts'

/** Null: the span has none. The dialect is that of the span's attribute names. */
export type ScopeIdentity = {
  readonly name: string | null
  readonly version: string | null
  readonly dialect: string | null
}

/** The sums of a difference may be negative. */
export type ScopeSums = {
  readonly minuteMs: number
  readonly scope: ScopeIdentity
  readonly kind: Kind
  spans: number
  /** Spans of calls that several instrumentations report. */
  toldTwice: number
  /** The spans of `toldTwice` that do not count. */
  repeated: number
  /** Counted model calls with tokens and without a price. */
  unpriced: number
  /** Spans whose sender reports a cost that differs from the computed one, and the sum of the differences in USD. */
  costDisagreements: number
  costDisagreementUsd: number
  /** Spans whose agent is known only by the name of the service. */
  agentsUnnamed: number
  /** The latest start, in Unix microseconds. */
  lastUs: number
}

/** What one transaction changed, by the start of the minute in Unix milliseconds, and by scope and kind. */
export type ScopeDelta = Map<number, Map<string, ScopeSums>>

/** The maximum number of scopes in a bucket of any length, so that names that differ in every span cannot fill it. */
export const maxScopes = 256
const beyond: ScopeIdentity = { name: 'other', version: null, dialect: null }

/** Returns the sums of a scope and kind in a minute, and creates them if needed. Beyond the maximum it returns those of the scope 'other'. */
export function scopeSumsOf(delta: ScopeDelta, minuteMs: number, scope: ScopeIdentity, kind: Kind): ScopeSums {
  const minute = delta.get(minuteMs) ?? new Map<string, ScopeSums>()
  delta.set(minuteMs, minute)
  // Stored texts contain no NUL.
  const key = `${kind}\0${scope.name ?? ''}\0${scope.version ?? ''}\0${scope.dialect ?? ''}`
  const known = minute.get(key)
  if (known !== undefined) return known
  if (minute.size >= maxScopes * kinds.length && scope !== beyond) return scopeSumsOf(delta, minuteMs, beyond, kind)
  const sums: ScopeSums = {
    minuteMs,
    scope,
    kind,
    spans: 0,
    toldTwice: 0,
    repeated: 0,
    unpriced: 0,
    costDisagreements: 0,
    costDisagreementUsd: 0,
    agentsUnnamed: 0,
    lastUs: 0,
  }
  minute.set(key, sums)
  return sums
}

/** False if nothing was added, or if as much was removed. */
export const isChange = (sums: ScopeSums): boolean =>
  sums.spans !== 0 ||
  sums.toldTwice !== 0 ||
  sums.repeated !== 0 ||
  sums.unpriced !== 0 ||
  sums.costDisagreements !== 0 ||
  sums.agentsUnnamed !== 0
