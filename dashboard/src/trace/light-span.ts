// The fields of an event that the trees, bars and lists of a trace view read.

export type LightSpan = {
  readonly id: string
  readonly span_id: string
  readonly parent_span_id: string | null
  readonly agent_name: string
  readonly kind: string
  readonly name: string
  readonly status: 'ok' | 'error'
  readonly error_type: string | null
  readonly error_message: string | null
  readonly model: string | null
  readonly tool_name: string | null
  readonly served: boolean
  readonly holdout: boolean
  readonly start_time: string
  readonly end_time: string | null
  readonly duration_ms: number | null
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly cost_usd: number | null
}

/** Whether a kind has usage of its own. The usage that a container reports is the sum of its calls. */
export const isCall = (kind: string): boolean => kind === 'llm' || kind === 'embedding'

/** Returns the sum of input and output tokens; null if the span reports neither. */
export const tokensOf = (span: LightSpan): number | null =>
  span.input_tokens === null && span.output_tokens === null
    ? null
    : (span.input_tokens ?? 0) + (span.output_tokens ?? 0)
