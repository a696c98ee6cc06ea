// Traces for tests of floor 1: spans with their parents, normalised and resolved.
import { toResolveInput } from '../../src/decode/resolve-input.ts'
import { normalise } from '../../src/normalise/normalise.ts'
import { type Resolved, resolve } from '../../src/resolve/resolve.ts'
import { makeSpan, type SpanGiven, start } from './_span.ts'

/** `in`: the id of the parent. `at`: start and end in milliseconds, by default 0 and 1. */
export type Placed = SpanGiven & {
  readonly id: string
  readonly in?: string
  readonly at?: readonly [start: number, end: number]
}

export type InTrace = Resolved & {
  readonly id: string
  readonly kind: string
  readonly tokens: readonly [input: number | null, output: number | null]
}

const nanos = (ms: number): bigint => start + BigInt(ms) * 1_000_000n

export function resolveTrace(...given: readonly Placed[]): InTrace[] {
  const events = given.map(({ id, in: parent, at: [from, to] = [0, 1], ...rest }) => {
    const span = makeSpan({ ...rest, start: nanos(from), end: nanos(to) })
    return normalise({ ...span, spanId: id, parentSpanId: parent ?? null })
  })
  const inputs = events.map((event) =>
    toResolveInput({
      event,
      startUs: Number((event.startTimeUnixNano - start) / 1_000n),
      priced: { costUsd: null, cacheSavingsUsd: null, source: null },
    }),
  )
  return resolve(inputs).flatMap((resolved, at) => {
    const event = events[at]
    if (event === undefined) return []
    const { kind, spanId: id, usage } = event
    return [{ ...resolved, id, kind, tokens: [usage.inputTokens, usage.outputTokens] as const }]
  })
}

/** Returns the calls of models that count, as `kind id input/output`. */
export const listCounted = (...given: readonly Placed[]): string[] =>
  resolveTrace(...given)
    .filter(({ counted, kind }) => counted && kind !== 'tool')
    .map(({ kind, id, tokens: [input, output] }) => `${kind} ${id} ${input ?? 0}/${output ?? 0}`)
