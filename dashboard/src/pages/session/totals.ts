// Running totals of a session: its traces in order of time, each with the totals of the session up to and including it.

export type SessionTrace = {
  readonly trace_id: string
  readonly start_time: string
  readonly duration_ms: number
  readonly error_count: number
  readonly llm_calls: number
  readonly tool_calls: number
  readonly served_calls: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost_usd: number | null
  readonly unpriced_calls: number
}

const marginMs = 1_000

/** Returns the search parameters with which the list of traces shows all of these: their window, and no other filter. */
export function listSession(sessionId: string, rows: readonly { readonly trace: SessionTrace }[]) {
  const startsMs = rows.map(({ trace }) => Date.parse(trace.start_time))
  const at = (ms: number): string => new Date(ms).toISOString()
  return {
    session_id: sessionId,
    agent_id: null,
    range: null,
    from_time: at(startsMs[0] ?? 0),
    to_time: at((startsMs.at(-1) ?? 0) + marginMs),
  }
}

export type Totals = {
  readonly traces: number
  readonly failed: number
  readonly llmCalls: number
  readonly toolCalls: number
  readonly servedCalls: number
  readonly tokens: number
  readonly costUsd: number | null
  readonly unpricedCalls: number
  /** The time from the start of the first trace to the latest end of a trace. */
  readonly lastedMs: number
}

const nothing: Totals = {
  traces: 0,
  failed: 0,
  llmCalls: 0,
  toolCalls: 0,
  servedCalls: 0,
  tokens: 0,
  costUsd: null,
  unpricedCalls: 0,
  lastedMs: 0,
}

/** `traces`: in any order. */
export function runTotals<T extends SessionTrace>(
  traces: readonly T[],
): readonly { readonly trace: T; readonly total: Totals }[] {
  const sorted = traces.toSorted((a, b) => Date.parse(a.start_time) - Date.parse(b.start_time))
  const firstMs = Date.parse(sorted[0]?.start_time ?? '')
  let total = nothing
  return sorted.map((trace) => {
    const endMs = Date.parse(trace.start_time) + trace.duration_ms
    total = {
      traces: total.traces + 1,
      failed: total.failed + Number(trace.error_count > 0),
      llmCalls: total.llmCalls + trace.llm_calls,
      toolCalls: total.toolCalls + trace.tool_calls,
      servedCalls: total.servedCalls + trace.served_calls,
      tokens: total.tokens + trace.input_tokens + trace.output_tokens,
      costUsd: trace.cost_usd === null ? total.costUsd : (total.costUsd ?? 0) + trace.cost_usd,
      unpricedCalls: total.unpricedCalls + trace.unpriced_calls,
      lastedMs: Math.max(total.lastedMs, endMs - firstMs),
    }
    return { trace, total }
  })
}
