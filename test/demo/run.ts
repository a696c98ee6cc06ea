// One run of an agent as a trace: work is described in order, and the clock of the run advances with it.
import { makeSpan, type OtlpSpan } from '../_kit/spans.ts'
import type { Chance } from './chance.ts'
import type { Model } from './models.ts'
import type { AgentTold, CallTold, Dialect, RetrievalTold, ToolTold, Written } from './telling.ts'
import { toolCost } from './tool-prices.ts'

export type Failure = { readonly type: string; readonly message: string }

export type Run = {
  /** The agent's span, which contains the spans of `work`. It fails if `work` returns a failure. */
  agent(told: AgentTold, work: () => Failure | undefined): void
  call(told: CallTold, failure?: Failure): void
  tool(told: ToolTold, durationMs: number, failure?: Failure): void
  embed(model: Model, text: string, tokens: number): void
  retrieve(told: RetrievalTold, durationMs: number): void
  /** Time without a span. */
  wait(durationMs: number): void
  /** An id in the format of a provider. */
  id(prefix: string): string
  /** Unix milliseconds. */
  now(): number
}

export type RunOptions = {
  readonly chance: Chance
  /** Random numbers for ids only. */
  readonly ids: Chance
  readonly dialect: Dialect
  readonly startMs: number
}

const internal = 1
const client = 3

/** Opens a run; `spans` is filled as the work is described, parents after their children, as real exporters send them. */
export function openRun(options: RunOptions): { run: Run; spans: OtlpSpan[] } {
  const { chance, ids, dialect, startMs } = options
  const spans: OtlpSpan[] = []
  const traceId = ids.hex(16)
  const parents: string[] = []
  let clockMs = startMs

  function add(written: Written, fromMs: number, spanKind: number, failure: Failure | undefined, spanId = ids.hex(8)) {
    const parentSpanId = parents.at(-1)
    spans.push(
      makeSpan({
        traceId,
        spanId,
        ...(parentSpanId === undefined ? {} : { parentSpanId }),
        name: written.name,
        kind: spanKind,
        start: fromMs,
        end: clockMs,
        attributes: { ...written.attributes, ...(failure === undefined ? {} : { 'error.type': failure.type }) },
        ...(failure === undefined
          ? {}
          : {
              status: { code: 2, message: failure.message },
              events: [
                {
                  name: 'exception',
                  time: clockMs,
                  attributes: { 'exception.type': failure.type, 'exception.message': failure.message },
                },
              ],
            }),
      }),
    )
  }

  function lasting(durationMs: number, write: () => Written, spanKind: number, failure?: Failure): void {
    const fromMs = clockMs
    clockMs += Math.max(1, durationMs)
    add(write(), fromMs, spanKind, failure)
    clockMs += chance.between(1, 12)
  }

  const run: Run = {
    agent(told, work) {
      const fromMs = clockMs
      const spanId = ids.hex(8)
      parents.push(spanId)
      clockMs += chance.between(1, 5)
      const failure = work()
      parents.pop()
      add(dialect.agent(told), fromMs, internal, failure, spanId)
    },
    call(told, failure) {
      const ttftMs = chance.around(told.model.firstTokenMs + told.input / 40)
      const durationMs = ttftMs + (told.output / told.model.tokensPerSecond) * 1_000
      const failed = failure !== undefined
      const shownTtftMs = told.streams === true ? ttftMs : null
      const responseId = run.id('resp')
      lasting(
        failed ? chance.around(200) : Math.round(durationMs),
        () => dialect.call(told, responseId, shownTtftMs, failed),
        client,
        failure,
      )
    },
    tool(told, durationMs, failure) {
      const write = (): Written => {
        const { name, attributes } = dialect.tool(told, failure !== undefined)
        return { name, attributes: { ...attributes, ...toolCost(told.name) } }
      }
      lasting(durationMs, write, internal, failure)
    },
    embed: (model, text, tokens) =>
      lasting(chance.around(model.firstTokenMs), () => dialect.embedding(model, text, tokens), client),
    retrieve: (told, durationMs) => lasting(durationMs, () => dialect.retrieval(told), client),
    wait: (durationMs) => {
      clockMs += durationMs
    },
    id: (prefix) => `${prefix}_${ids.hex(9)}`,
    now: () => clockMs,
  }
  return { run, spans }
}
