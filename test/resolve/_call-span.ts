// A model call as one instrumentation reports it.
import type { CallSpan } from '../../src/resolve/call-span.ts'

/** Start and end in milliseconds. */
export const makeCallSpan = (
  scopeName: string | null,
  startMs: number,
  endMs: number,
  more: Partial<CallSpan> = {},
): CallSpan => ({
  kind: 'llm',
  scopeName,
  startTimeUs: startMs * 1_000,
  endTimeUs: endMs * 1_000,
  model: 'gpt-4o-mini',
  requestModel: null,
  responseId: null,
  inputTokens: 1_000,
  outputTokens: 50,
  reasoningTokens: null,
  isError: false,
  cacheTokens: 0,
  usageDetail: 0,
  ...more,
})
