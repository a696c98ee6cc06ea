// The fields of an event that counting needs.
import type { Kind } from '../event/event.ts'
import { hashText48 } from './hash.ts'

/** May be one record that is refilled for every event: no code in this folder keeps it. */
export type Fact = {
  /** Unix microseconds. */
  startUs: number
  /** Microseconds; NaN where unknown. */
  durationUs: number
  agentId: string
  kind: Kind
  model: string | null
  tool: string | null
  counted: boolean
  error: boolean
  served: boolean
  holdout: boolean
  /** Has tokens but no price. */
  unpriced: boolean
  /** An inferred tool call, which no event reports: it counts in the calls of its tool and in nothing else. */
  inferred: boolean
  /** Tokens are 0 where the span reports none. */
  inputTokens: number
  outputTokens: number
  cachedTokens: number
  cacheWriteTokens: number
  reasoningTokens: number
  /** NaN where no price is known. */
  costUsd: number
  cacheSavingsUsd: number
  /** hash48 of the 16 bytes of the trace id. */
  traceHash: number
  /** hashText48 of the session id; -1 without a session. */
  sessionHash: number
  /** hashInput of tool and input hash; -1 without an input hash. */
  inputHash: number
}

/** Returns a record with default values. */
export const makeFact = (): Fact => ({
  startUs: 0,
  durationUs: Number.NaN,
  agentId: '',
  kind: 'other',
  model: null,
  tool: null,
  counted: false,
  error: false,
  served: false,
  holdout: false,
  unpriced: false,
  inferred: false,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  costUsd: Number.NaN,
  cacheSavingsUsd: Number.NaN,
  traceHash: 0,
  sessionHash: -1,
  inputHash: -1,
})

/** Returns a hash of 48 bits. The same input of two tools gives two hashes. */
export const hashInput = (tool: string | null, inputHash: string): number => hashText48(`${tool ?? ''}\0${inputHash}`)

/** Turns the record of an event into that of an inferred tool call: the event asks for the tool, and no event reports the call. */
export function becomeInferredTool(fact: Fact, tool: string): Fact {
  fact.kind = 'tool'
  fact.model = null
  fact.tool = tool
  fact.inferred = true
  fact.durationUs = Number.NaN
  fact.inputHash = -1
  return fact
}
