// SDK. The client. An application creates it once and calls its tools and models through it.
import { setMaxListeners } from 'node:events'
import { context, diag, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { AlwaysOnSampler, BasicTracerProvider, type SpanLimits } from '@opentelemetry/sdk-trace-base'
import { LRUCache } from 'lru-cache'
import { beforeExit } from './before-exit.ts'
import { makeBreaker, makeKeyBreakers } from './breaker.ts'
import { ApplicationFault, errorTypeOf } from './error-type.ts'
import { deriveEvidence, type Evidence } from './evidence.ts'
import { makeSendSpans } from './export/send-spans.ts'
import { openSpanQueue } from './export/span-queue.ts'
import { fetchResult } from './fetch-result.ts'
import { followRules } from './follow-rules.ts'
import { openHttp } from './http.ts'
import { makeKeyRing } from './key-ring.ts'
import { makeHasher } from './keyed-hash.ts'
import { type Llm, makeLlm } from './llm.ts'
import { checkOptions, type TracewrightOptions } from './options.ts'
import { readMessages } from './read-messages.ts'
import { makeRun, makeRuns, type RunOptions, runAttributes } from './run.ts'
import { openSealing } from './seal-results.ts'
import { type Invalidation, sendInvalidation } from './serving/invalidate.ts'
import type { Moment } from './serving/moment.ts'
import { type OfferDeps, offerResult } from './serving/offer-result.ts'
import { makeResultMemory } from './serving/result-memory.ts'
import { makeFlights } from './serving/single-flight.ts'
import { makeStats, type Stats } from './stats.ts'
import { makeTool, type Tool, type ToolCall, type ToolDeps, type ToolFunction } from './tool.ts'
import type { ToolOptions } from './tool-options.ts'

export type { Evidence } from './evidence.ts'
export type { LlmRequest, LlmTimes } from './llm.ts'
export type { EncryptionKey, KeyMaterial, TracewrightOptions } from './options.ts'
export type { LlmAnswer, LlmUsage } from './read-answer.ts'
export type { RunOptions } from './run.ts'
export type { Stats } from './stats.ts'
export type { Tool, ToolCall, ToolFunction } from './tool.ts'
export type { ToolOptions } from './tool-options.ts'

/**
 * The input type of a tool whose function declares none. It is untyped, like the parsed arguments that a model has written. Without this
 * default the input would be `unknown`, and a function that destructures its input would not compile.
 */
export type UntypedInput = ReturnType<typeof JSON.parse>

export type Tracewright = {
  /**
   * Wraps a tool. Throws a TypeError where an option is wrong. The wrapped tool throws only what the tool throws. It delays a call by the
   * deadline at most, or by the equal call that it waits for.
   */
  readonly tool: <Input = UntypedInput, Output = unknown, Call extends ToolCall = ToolCall>(
    name: string,
    fn: ToolFunction<Input, Output, Call>,
    options?: ToolOptions<Input, Output>,
  ) => Tool<Input, Output, Call>
  /** Runs a call of a model inside a span. */
  readonly llm: Llm['call']
  /** Records a call of a model that has ended. */
  readonly recordLlm: Llm['record']
  /** Runs `fn` as the work of an agent: with a span around it, and with the agent's name and session on every span inside. */
  readonly agent: <Result>(name: string, options: RunOptions, fn: () => Result | Promise<Result>) => Promise<Result>
  /** Returns which results a prompt contains and which of them the output depends on, for LLM spans of other instrumentations. */
  readonly evidence: (messages: unknown, output: string) => Evidence
  readonly tracer: Tracer
  readonly provider: BasicTracerProvider
  /** Resolves once the first request for rules has succeeded or failed, or after `timeoutMs` (default 1,000). Never rejects. */
  readonly ready: (timeoutMs?: number) => Promise<void>
  /** Returns what has been served, missed and lost so far. */
  readonly stats: () => Stats
  /**
   * Sends the ended spans. Resolves to true once no span waits any more and if none was dropped since the last flush, otherwise to false,
   * at the latest after `flushTimeoutMs`. Never rejects.
   */
  readonly flush: () => Promise<boolean>
  /** Flushes, then stops the client. Resolves to the result of the flush. Tools continue to run for real. Never rejects. */
  readonly shutdown: () => Promise<boolean>
}

const scope = '@tracewright/sdk'

type Log = { readonly warn: (line: string) => void; readonly error: (line: string) => void }

/** The application may set its own logger in `diag`. If that logger throws, only the log line is lost. */
function openLog(): Log {
  const logger = diag.createComponentLogger({ namespace: scope })
  const write = (level: keyof Log, line: string): void => {
    try {
      logger[level](line)
    } catch {
      // There is no other place to report to.
    }
  }
  return { warn: (line) => write('warn', line), error: (line) => write('error', line) }
}

/** OpenTelemetry's defaults. */
const spanLimits: Required<SpanLimits> = {
  attributeValueLengthLimit: Number.POSITIVE_INFINITY,
  attributeCountLimit: 128,
  linkCountLimit: 128,
  eventCountLimit: 128,
  attributePerEventCountLimit: 128,
  attributePerLinkCountLimit: 128,
}

// Ids of the tool calls whose results may still be in prompts.
const maxReadByOthers = 10_000

/** Creates the client. Throws a TypeError where an option is wrong. Later, only `tool` throws errors of the client: where an option is wrong. */
export function createTracewright(options: TracewrightOptions): Tracewright {
  const settings = checkOptions(options)
  const { random } = settings
  const log = openLog()
  const stats = makeStats()
  const monotonicMs = (): number => performance.now()
  const http = openHttp(settings.baseUrl, settings.apiKey)
  const stopped = new AbortController()
  // Each invalidation that waits to be sent again listens. Node 20 warns of more than ten.
  setMaxListeners(0, stopped.signal)
  const keys = makeKeyRing(settings.current, settings.previous)
  const hasher = makeHasher(settings.hashKey)

  const queue = openSpanQueue({
    ...settings,
    send: makeSendSpans(http),
    maxSpans: settings.maxQueueSpans,
    maxBytes: settings.maxQueueBytes,
    onDropped: stats.dropped,
    onRejected: stats.rejected,
    onFailure: (why, isRetried) =>
      log.warn(isRetried ? `could not send spans, will retry: ${why}` : `spans were dropped: ${why}`),
  })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.agentName, ...settings.resource }),
    // Both are set explicitly and in full: the defaults are read from the environment, whose settings are meant for another backend.
    sampler: new AlwaysOnSampler(),
    spanLimits,
    spanProcessors: [queue.processor],
  })
  const tracer = provider.getTracer(scope)
  const contexts = new AsyncLocalStorageContextManager().enable()
  if (settings.registerGlobally) {
    trace.setGlobalTracerProvider(provider)
    context.setGlobalContextManager(contexts)
  }
  const clock = (): Moment => ({ unixMs: Date.now(), monotonicMs: monotonicMs() })
  const memory = makeResultMemory(settings.maxMemoryBytes, clock)
  const flights = makeFlights(clock)
  const rules = followRules({
    http,
    clock,
    random,
    onChange: memory.obey,
    onFailure: (reason) => log.warn(`could not fetch rules: ${reason}`),
  })
  const breaker = makeBreaker(monotonicMs, random)
  const keyBreakers = makeKeyBreakers(monotonicMs, random)
  const fetching = { http, keys, hasher, breaker, keyBreakers, nowMs: Date.now, ...settings }
  const sealing = openSealing({ keys, hasher, onUnstored: stats.unstored })
  const onFault = (error: unknown): void => {
    stats.fault()
    log.error(
      error instanceof ApplicationFault
        ? error.message
        : `internal SDK error, the call was not affected: ${errorTypeOf(error)}`,
    )
  }
  const runs = makeRuns(contexts, onFault)
  const readByOthers = new LRUCache<string, true>({ max: maxReadByOthers })
  const isReadByOthers = (callId: string): boolean => readByOthers.has(callId)
  const llm = makeLlm({ tracer, runs, isReadByOthers, onFault })
  const offering: OfferDeps = {
    memory,
    flights,
    findRule: rules.find,
    fetchResult: (wanted) => fetchResult(fetching, wanted),
    clock,
    onFault,
  }

  async function invalidate(invalidation: Invalidation, hashes: readonly string[] | null): Promise<boolean> {
    try {
      memory.invalidate(invalidation.tool, hashes, clock())
      flights.forget(invalidation.tool)
      const why = await sendInvalidation(http, invalidation, stopped.signal)
      if (why !== null) log.warn(`could not invalidate results of a tool: ${why}`)
      return why === null
    } catch (error) {
      onFault(error)
      return false
    }
  }

  const toolDeps: ToolDeps = {
    tracer,
    runs,
    hasher,
    findRule: rules.find,
    offerResult: (call) => offerResult(offering, call),
    memory,
    invalidate,
    endWith: sealing.endWith,
    maxResultBytes: settings.maxResultBytes,
    agentName: settings.agentName,
    random,
    onServed: stats.served,
    onHeldOut: stats.heldOut,
    onMiss: stats.missed,
    onReadByOthers: (callId) => void readByOthers.set(callId, true),
    onFault,
  }

  async function flush(): Promise<boolean> {
    await sealing.idle()
    return await queue.flush(settings.flushTimeoutMs)
  }

  let ending: Promise<boolean> | null = null
  let isExiting = false
  const stopAwaitingExit = beforeExit(() => {
    // Only once: Node emits the event again after the flush, and another flush would not send the spans that this one could not.
    if (isExiting || queue.waiting() === 0) return
    isExiting = true
    void flush()
  })

  function shutdown(): Promise<boolean> {
    ending ??= end()
    return ending
  }

  async function end(): Promise<boolean> {
    stopAwaitingExit()
    rules.stop()
    const isSent = await flush()
    queue.stop()
    stopped.abort()
    http.stop()
    return isSent
  }

  async function agent<Result>(
    name: string,
    given: RunOptions = {},
    fn: () => Result | Promise<Result>,
  ): Promise<Result> {
    const run = makeRun(name, given, runs.current())
    const span = tracer.startSpan(
      `invoke_agent ${name}`,
      { kind: SpanKind.INTERNAL, attributes: { 'gen_ai.operation.name': 'invoke_agent', ...runAttributes(run) } },
      runs.context(),
    )
    try {
      return await runs.inside(span, run, fn)
    } catch (error) {
      span.setAttribute('error.type', errorTypeOf(error))
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }

  return {
    tool: (name, fn, toolOptions = {}) => makeTool(toolDeps, name, fn, toolOptions),
    llm: llm.call,
    recordLlm: llm.record,
    agent,
    evidence: (messages, output) =>
      deriveEvidence(readMessages(messages), output, runs.current()?.notes ?? null, isReadByOthers),
    tracer,
    provider,
    async ready(timeoutMs = 1_000) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timeoutMs)
      })
      await Promise.race([rules.firstPoll, late])
      clearTimeout(timer)
    },
    stats: () => stats.read(rules.size(), memory.bytes()),
    flush,
    shutdown,
  }
}
