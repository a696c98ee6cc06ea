// The fields of a span by which reports of one call are found.
import type { Kind } from '../event/event.ts'
import type { NamedModel } from './same-model.ts'

/** The fields of a span that the search for calls that several spans report needs. */
export type CallSpan = NamedModel & {
  readonly kind: Kind
  readonly startTimeUs: number
  /** Equal to the start where the duration is unknown. */
  readonly endTimeUs: number
  /** The name of the instrumentation scope; null where it is unknown. */
  readonly scopeName: string | null
  readonly responseId: string | null
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** The part of the input tokens that was read from or written to the cache; 0 where it is unknown. */
  readonly cacheTokens: number
  readonly isError: boolean
  readonly reasoningTokens: number | null
  /** How finely the span splits its usage: `usageDetailOf`. */
  readonly usageDetail: number
}
