// The event model: the normal form that spans of all dialects are converted to.
import type { Flag } from './flag.ts'

export const kinds = [
  'llm',
  'embedding',
  'tool',
  'agent',
  'chain',
  'retriever',
  'reranker',
  'guardrail',
  'evaluator',
  'memory',
  'other',
] as const
export type Kind = (typeof kinds)[number]

/** The content hash that SDKs send for a result that cannot be stored: it is too large or no JSON value. */
export const unstorable = 'unstorable'

/** Token counts of one span, inclusive: input contains cached and cache write, output contains reasoning. Null: not reported. */
export type Usage = {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly cachedTokens: number | null
  readonly cacheWriteTokens: number | null
  /** The part of cacheWriteTokens that was written to the one-hour cache, which costs more. */
  readonly cacheWrite1hTokens: number | null
  readonly reasoningTokens: number | null
}

/**
 * Returns how much a report of a call says of its cost, 0 to 15: first whether it is priced, then how finely its usage is split. Parts with
 * a separate price weigh more than reasoning, which costs what output does. Example of a report without a price: that of a client that
 * knows the model only by the name under which a proxy offers it.
 */
export const usageDetailOf = (
  { cachedTokens, cacheWriteTokens, cacheWrite1hTokens, reasoningTokens }: Usage,
  isPriced: boolean,
): number =>
  8 * Number(isPriced) +
  2 * Number(cachedTokens !== null) +
  2 * Number(cacheWriteTokens !== null) +
  2 * Number(cacheWrite1hTokens !== null) +
  Number(reasoningTokens !== null)

/** The usage of a span that reports no tokens, or has none of its own. */
export const noUsage: Usage = {
  inputTokens: null,
  outputTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  cacheWrite1hTokens: null,
  reasoningTokens: null,
}

/** A message part in the normal form. Values of type `unknown` are plain JSON values. */
export type MessagePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | ToolCallPart
  | { readonly type: 'tool_result'; readonly id: string | null; readonly result: unknown }
  | { readonly type: 'image'; readonly url?: string; readonly mime_type?: string }
  | { readonly type: 'blob'; readonly mime_type?: string; readonly bytes?: number }

export type ToolCallPart = {
  readonly type: 'tool_call'
  readonly id: string | null
  readonly name: string
  readonly arguments: unknown
  /** The provider ran the tool itself, within the model call: the sender was not asked to run it. */
  readonly provider_executed?: true
}

export type Message = { readonly role: string; readonly parts: readonly MessagePart[] }

/** A tool that a model asked for. `id` is the provider's id, which links the call and its result; null where there is none. */
export type ToolRequest = { readonly id: string | null; readonly name: string }

/** The AES-GCM triple of a stored tool result, complete and of the right lengths, or absent. */
export type EncryptedResult = {
  /** At most `maxCiphertextBytes`. */
  readonly ciphertext: Uint8Array
  readonly iv: Uint8Array
  readonly tag: Uint8Array
  readonly keyId: string
}

/** The most bytes in the ciphertext of a stored tool result. SDKs read it with the facts of their workspace. */
export const maxCiphertextBytes = 256 * 1_024

/** Plain content, as far as the workspace's content mode permits storing it. Null: the span does not carry it. */
export type Content = {
  readonly inputMessages: readonly Message[] | null
  readonly outputMessages: readonly Message[] | null
  /** A plain JSON value, or text where the sender's text is not JSON. */
  readonly toolArguments: unknown
  readonly toolResult: unknown
}

/** What one span states by itself, without regard to other spans. */
export type Event = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly startTimeUnixNano: bigint
  /** Microseconds; null where unknown (flag duration_unknown). */
  readonly durationUs: number | null
  readonly kind: Kind
  readonly operation: string | null
  readonly name: string
  /** The name of the instrumentation scope; null where it has none. */
  readonly scopeName: string | null
  readonly scopeVersion: string | null
  /** The dialect of the span's attribute names; null where none is recognized. */
  readonly dialect: string | null
  readonly status: 'ok' | 'error'
  readonly errorType: string | null
  readonly errorMessage: string | null
  /** The agent that this span names itself; null where it names none and inherits from its nearest ancestor. */
  readonly agentOwn: string | null
  /** The agent if no ancestor names one: gen_ai.main_agent.name or service.name of the resource, else "unknown". */
  readonly agentFallback: string
  /** The resource names the agent, so that the fallback is not just the name of the service. */
  readonly hasMainAgent: boolean
  readonly agentVersion: string | null
  readonly sessionId: string | null
  readonly userId: string | null
  readonly taskType: string | null
  readonly environment: string | null
  readonly provider: string | null
  readonly requestModel: string | null
  /** The response model where reported, else the request model. It is the model that is priced and shown. */
  readonly model: string | null
  readonly responseId: string | null
  readonly finishReasons: readonly string[]
  readonly serviceTier: string | null
  readonly batch: boolean
  readonly ttftMs: number | null
  readonly usage: Usage
  /** A model call reports more output than any call can have: its other counts do not tell its cost. Not stored. */
  readonly isOutputLost: boolean
  /** The cost in USD that the sender reports, kept apart from the computed one. */
  readonly providedCostUsd: number | null
  /** The mean of the evaluation scores that the span carries, on the scale of its sender. */
  readonly qualityScore: number | null
  /** The tools that the answer of a model asks for. */
  readonly toolRequests: readonly ToolRequest[]
  readonly toolName: string | null
  /** Also of a span of kind `other` that reports a call of a tool which the agent did not run. */
  readonly toolCallId: string | null
  /** Whether the tool is read-only, as the sender states it; null where it does not. */
  readonly readOnly: boolean | null
  /** The sender's tracewright.tool.input_hash, else sha256:… of the RFC 8785 form of plain arguments; null on a served call. */
  readonly inputHash: string | null
  /** The sender's tracewright.tool.content_hash; without it, for an unattested call, sha256:… of the RFC 8785 form of its plain result. */
  readonly contentHash: string | null
  /** The version that the tool declares; null where it declares none. */
  readonly toolVersion: string | null
  /** Hash of the scope that the result belongs to; null where the tool has no scope. */
  readonly scopeHash: string | null
  /** The sender attests that the same input gives the same result. */
  readonly attested: boolean
  /** The sender attests that nothing depends on the content of the result. */
  readonly attestedUnread: boolean
  readonly served: boolean
  readonly holdout: boolean
  /** The sender states that the result differs from the one that a rule would have served. Not stored. */
  readonly changed: boolean
  readonly decisionId: string | null
  readonly encrypted: EncryptedResult | null
  readonly consumedToolCallIds: readonly string[]
  readonly readToolCallIds: readonly string[]
  readonly flags: Set<Flag>
}

/** True where an input or an output token count is reported. */
export const hasUsage = ({ usage }: Pick<Event, 'usage'>): boolean =>
  usage.inputTokens !== null || usage.outputTokens !== null
