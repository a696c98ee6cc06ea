// SDK. Records calls of a model: duration, tokens, and the tool results in the prompt. Neither the prompt nor the answer is sent.
import { type Attributes, type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import { ApplicationFault, errorTypeOf, runGiven } from './error-type.ts'
import { deriveEvidence } from './evidence.ts'
import { type LlmAnswer, readAnswer } from './read-answer.ts'
import { readMessages, textOf } from './read-messages.ts'
import { ignoreRejection } from './result-codec.ts'
import { type Run, type Runs, runAttributes } from './run.ts'
import { startStopwatch } from './stopwatch.ts'

export type LlmRequest = {
  /** The provider's name in OpenTelemetry: `openai`, `anthropic`, `gcp.gemini`, … */
  readonly provider: string
  readonly model: string
  /** All messages of the call, in the provider's format. */
  readonly messages: unknown
  /** Instructions that the provider accepts separately from the messages. */
  readonly system?: unknown
}

export type LlmTimes = {
  /** Unix milliseconds. */
  readonly startMs: number
  readonly endMs: number
  /** The error of a failed call. */
  readonly error?: unknown
}

export type Llm = {
  /** Runs the call, and returns its response or throws its error. `read` extracts the answer from a response of unknown shape. */
  readonly call: <Response>(
    request: LlmRequest,
    call: () => Response | Promise<Response>,
    read?: (response: Response) => LlmAnswer,
  ) => Promise<Response>
  /** Records a call that has ended, such as a streamed one after its last chunk. Never throws. */
  readonly record: (request: LlmRequest, answer: LlmAnswer, times: LlmTimes) => void
}

export type LlmDeps = {
  readonly tracer: Tracer
  readonly runs: Runs
  /** Whether the result of this tool call may reach others than the model. */
  readonly isReadByOthers: (callId: string) => boolean
  /** Receives errors of the recording; the call itself is not affected. */
  readonly onFault: (error: unknown) => void
}

const unreadAnswer = 'the span of the call lacks the answer, and every tool result in its prompt counts as read'

export function makeLlm({ tracer, runs, isReadByOthers, onFault }: LlmDeps): Llm {
  const start = (request: LlmRequest, run: Run | null, startTime: number): Span =>
    tracer.startSpan(
      `chat ${request.model}`,
      {
        kind: SpanKind.CLIENT,
        startTime,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': request.provider,
          'gen_ai.request.model': request.model,
          ...runAttributes(run),
        },
      },
      runs.context(),
    )

  /**
   * Sets the attributes of the answer and returns its output. Returns null if the output is not known, also because reading the answer
   * failed: then every result in the prompt counts as read.
   */
  function describe(span: Span, getAnswer: () => LlmAnswer): string | null {
    try {
      const answer: unknown = getAnswer()
      ignoreRejection(answer)
      if (typeof answer !== 'object' || answer === null || answer instanceof Promise)
        throw new ApplicationFault(
          `what the function read returns, or the answer given to recordLlm, must be an object and no promise; ${unreadAnswer}`,
        )
      span.setAttributes(answerAttributes(answer))
      const { output }: { readonly output?: unknown } = answer
      return typeof output === 'string' ? output : null
    } catch (error) {
      onFault(error)
      return null
    }
  }

  function finish(span: Span, request: LlmRequest, run: Run | null, endMs: number, getAnswer: () => LlmAnswer): void {
    try {
      const output = describe(span, getAnswer)
      const system = request.system === undefined ? [] : ([{ kind: 'input', text: textOf(request.system) }] as const)
      const prompt = [...system, ...readMessages(request.messages)]
      const { consumed, read } = deriveEvidence(prompt, output, run?.notes ?? null, isReadByOthers)
      if (consumed.length > 0) span.setAttribute('tracewright.consumed_tool_call_ids', [...consumed])
      if (read.length > 0) span.setAttribute('tracewright.read_tool_call_ids', [...read])
    } catch (error) {
      onFault(error)
    } finally {
      span.end(endMs)
    }
  }

  function fail(span: Span, error: unknown, endMs: number): void {
    span.setAttribute('error.type', errorTypeOf(error))
    span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(endMs)
  }

  return {
    async call(request, call, read) {
      const run = runs.current()
      const watch = startStopwatch()
      let span: Span
      try {
        span = start(request, run, watch.startMs)
      } catch (error) {
        onFault(error)
        return await call()
      }
      let response: Awaited<ReturnType<typeof call>>
      try {
        response = await runs.inside(span, null, call)
      } catch (error) {
        fail(span, error, watch.nowMs())
        throw error
      }
      finish(span, request, run, watch.nowMs(), () =>
        read === undefined ? readAnswer(response) : runGiven('the function read', unreadAnswer, () => read(response)),
      )
      return response
    },
    record(request, answer, times) {
      try {
        const { startMs, endMs, error } = times
        const run = runs.current()
        const span = start(request, run, startMs)
        if (error === undefined) finish(span, request, run, endMs, () => answer)
        else fail(span, error, endMs)
      } catch (fault) {
        onFault(fault)
      }
    },
  }
}

function answerAttributes({ id, model, finishReasons, usage = {} }: LlmAnswer): Attributes {
  const named: [string, string | number | undefined][] = [
    ['gen_ai.response.id', id],
    ['gen_ai.response.model', model],
    ['gen_ai.usage.input_tokens', usage.inputTokens],
    ['gen_ai.usage.output_tokens', usage.outputTokens],
    ['gen_ai.usage.cache_read.input_tokens', usage.cachedTokens],
    ['gen_ai.usage.cache_write.input_tokens', usage.cacheWriteTokens],
    ['gen_ai.usage.reasoning.output_tokens', usage.reasoningTokens],
  ]
  const attributes = Object.fromEntries(named.filter(([, value]) => value !== undefined)) as Attributes
  return finishReasons === undefined || finishReasons.length === 0
    ? attributes
    : { ...attributes, 'gen_ai.response.finish_reasons': [...finishReasons] }
}
