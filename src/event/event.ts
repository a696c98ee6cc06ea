// The one normal form of every dialect: what a span means to Tracewright.
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

/** Token counts of one span, inclusive: input holds cached and cache write, output holds reasoning. Null: not told. */
export type Usage = {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly cachedTokens: number | null
  readonly cacheWriteTokens: number | null
  /** The part of cacheWriteTokens that was written to the dearer one-hour cache. */
  readonly cacheWrite1hTokens: number | null
  readonly reasoningTokens: number | null
}

/** How finely the usage is split, 0 to 7: parts with a price of their own weigh more than reasoning, which costs what output does. */
export const usageDetailOf = ({ cachedTokens, cacheWriteTokens, cacheWrite1hTokens, reasoningTokens }: Usage): number =>
  2 * Number(cachedTokens !== null) +
  2 * Number(cacheWriteTokens !== null) +
  2 * Number(cacheWrite1hTokens !== null) +
  Number(reasoningTokens !== null)

/** Of a span that tells of no tokens, or has none of its own. */
export const noUsage: Usage = {
  inputTokens: null,
  outputTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  cacheWrite1hTokens: null,
  reasoningTokens: null,
}

/** A message part in the one normal form. `json` values are plain JSON values. */
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
  /** The provider itself ran the tool, inside of the call of the model: nobody was asked for it. */
  readonly provider_executed?: true
}

export type Message = { readonly role: string; readonly parts: readonly MessagePart[] }

/** A tool that a model asked for. `id`: the provider's, by which the call and its result are linked; null where it has none. */
export type ToolRequest = { readonly id: string | null; readonly name: string }

/** The AES-GCM triple of a stored tool result, complete and of the right lengths, or absent. */
export type EncryptedResult = {
  readonly ciphertext: Uint8Array
  readonly iv: Uint8Array
  readonly tag: Uint8Array
  readonly keyId: string
}

/** Plain content, as far as the workspace's content mode let it be stored. Null: the span does not carry it. */
export type Content = {
  readonly inputMessages: readonly Message[] | null
  readonly outputMessages: readonly Message[] | null
  /** Plain JSON value, or text where the sender's text is no JSON. */
  readonly toolArguments: unknown
  readonly toolResult: unknown
}

/** What the attributes of one span say, looking at no other span. */
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
  /** Of the instrumentation scope; null where it has none. */
  readonly scopeName: string | null
  readonly scopeVersion: string | null
  /** Whose attribute names the span uses; null where none are known. */
  readonly dialect: string | null
  readonly status: 'ok' | 'error'
  readonly errorType: string | null
  readonly errorMessage: string | null
  /** The agent that this span names itself; null where it names none and inherits from its nearest ancestor. */
  readonly agentOwn: string | null
  /** The agent where no ancestor names one: gen_ai.main_agent.name or service.name of the resource, else "unknown". */
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
  /** The response model where told, else the request model: what is priced and shown. */
  readonly model: string | null
  readonly responseId: string | null
  readonly finishReasons: readonly string[]
  readonly serviceTier: string | null
  readonly batch: boolean
  readonly ttftMs: number | null
  readonly usage: Usage
  /** The sender's own cost in USD, kept apart from the computed one. */
  readonly providedCostUsd: number | null
  /** The mean of the evaluation scores that the span carries, on its sender's own scale. */
  readonly qualityScore: number | null
  /** What the answer of a model asks for. */
  readonly toolRequests: readonly ToolRequest[]
  readonly toolName: string | null
  readonly toolCallId: string | null
  /** Whether the tool is read-only, as the sender states it; null where it does not. */
  readonly readOnly: boolean | null
  /** The sender's tracewright.tool.input_hash, else sha256:… of the RFC 8785 form of plain arguments; null on a served call. */
  readonly inputHash: string | null
  /** The sender's tracewright.tool.content_hash, else of an unattested call sha256:… of the RFC 8785 form of its plain result. */
  readonly contentHash: string | null
  /** What the tool calls its own version; null where it declares none. */
  readonly toolVersion: string | null
  /** Whose result it is, as a hash; null where the tool has no scope. */
  readonly scopeHash: string | null
  /** The sender attests that the same input gives the same result. */
  readonly attested: boolean
  /** The sender attests that nothing depends on the content of the result. */
  readonly attestedUnread: boolean
  readonly served: boolean
  readonly holdout: boolean
  /** The sender says that the result is not the one that a rule would have served in its place. Not stored. */
  readonly changed: boolean
  readonly decisionId: string | null
  readonly encrypted: EncryptedResult | null
  readonly consumedToolCallIds: readonly string[]
  readonly readToolCallIds: readonly string[]
  readonly flags: Set<Flag>
}

/** A model told how many tokens went in or came out. */
export const hasUsage = ({ usage }: Pick<Event, 'usage'>): boolean =>
  usage.inputTokens !== null || usage.outputTokens !== null
