// Spans in the form that resolving reads.
import { type ResolveInput, resolve } from '../../src/resolve/resolve.ts'

/** `in`: the id of the parent. `at`: start and end in microseconds, by default 0; a number is both. */
export type Given = {
  readonly id: string
  readonly in?: string
  readonly at?: number | readonly [start: number, end: number]
} & Partial<Omit<ResolveInput, 'spanId' | 'parentSpanId' | 'startTimeUs'>>

export const makeInput = ({ id, in: parent, at = 0, ...rest }: Given): ResolveInput => ({
  spanId: id,
  parentSpanId: parent ?? null,
  startTimeUs: typeof at === 'number' ? at : at[0],
  endTimeUs: typeof at === 'number' ? at : at[1],
  scopeName: null,
  model: null,
  requestModel: null,
  responseId: null,
  inputTokens: null,
  outputTokens: null,
  reasoningTokens: null,
  isError: false,
  cacheTokens: 0,
  usageDetail: 0,
  kind: 'other',
  agentOwn: null,
  agentFallback: 'svc',
  sessionOwn: null,
  userOwn: null,
  toolName: null,
  toolCallId: null,
  sdkMark: null,
  hasUsage: false,
  ...rest,
})

/** Returns the ids of the spans that count, in the given order; throws if the reverse order gives others. */
export function listCounted(...given: readonly Given[]): string[] {
  const list = (some: readonly Given[]): string[] => {
    const resolved = resolve(some.map(makeInput))
    return some.flatMap(({ id }, at) => (resolved[at]?.counted ? [id] : []))
  }
  const found = list(given)
  const reversed = list(given.toReversed()).toReversed()
  if (found.join() !== reversed.join()) throw new Error(`${found.join()} differs from ${reversed.join()}`)
  return found
}
