// SDK. A tool as the agent calls it: served where a rule covers the call and nothing is in doubt, run for real otherwise.
import { type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import { canonicalText } from './canonical-json.ts'
import { errorTypeOf } from './error-type.ts'
import type { Fetched, Miss } from './fetch-result.ts'
import type { KeyedHash } from './keyed-hash.ts'
import type { Rule } from './rule-book.ts'
import { type Run, type Runs, runAttributes } from './run.ts'
import type { Attachment } from './seal-results.ts'
import type { PlainResult } from './sealed-result.ts'
import { type Stopwatch, startStopwatch } from './stopwatch.ts'

export type ToolOptions<Input, Output> = {
  /**
   * True: the same call may be answered with a stored result. Only where the result depends on nothing but the input (who
   * asks, too, belongs into the input), and the call changes nothing. Default false: nothing is stored and nothing served.
   */
  readonly attest?: boolean
  /** Oldest result that may be served, in seconds. Default: what the rule says. */
  readonly freshnessS?: number
  /** Gives what may be stored of a result (a copy of it): a served call gets this. The real call's result is not touched. */
  readonly redact?: (result: Output) => Output
  /** What one real call costs, in US dollars. */
  readonly costUsd?: number | ((input: Input, result: Output) => number)
  /** For results that are no JSON values: the same text for the same result. */
  readonly encode?: (result: Output) => string
  /** The way back; throws for a text that it does not know, and the tool runs for real. */
  readonly decode?: (text: string) => Output
}

export type ToolCall = {
  /** The id that the model gave this call; what ties the result to the prompts that it stands in. */
  readonly callId?: string
}

export type ToolFunction<Input, Output, Call extends ToolCall> = (input: Input, call: Call) => Output | Promise<Output>

export type Tool<Input, Output, Call extends ToolCall> = (input: Input, call?: Call) => Promise<Output>

export type ToolDeps = {
  readonly tracer: Tracer
  readonly runs: Runs
  readonly hashInput: (tool: string, canonicalInput: string) => KeyedHash
  readonly findRule: (tool: string, inputHash: string | null, agentName: string) => Rule | null
  readonly fetchResult: (rule: Rule, inputHash: string | null, freshnessS: number) => Promise<Fetched>
  /** Ends the span once the result, if it may be stored, is encrypted and attached. */
  readonly endWith: (span: Span, endMs: number, attach: Attachment | null) => void
  /** Of what runs outside of any run. */
  readonly agentName: string
  readonly random: () => number
  readonly onServed: () => void
  readonly onHeldOut: () => void
  readonly onMiss: (miss: Miss | 'not_decoded') => void
  /** Told of what went wrong in telling; the call itself is not touched by it. */
  readonly onFault: (error: unknown) => void
}

// An input that takes longer to hash than to send is not worth it.
const maxInputChars = 1_048_576

type Opened = {
  readonly watch: Stopwatch
  readonly span: Span
  readonly run: Run | null
  readonly inputHash: KeyedHash | null
  readonly rule: Rule | null
}

/** The tool, wrapped. Throws nothing but what `fn` throws. */
export function makeTool<Input, Output, Call extends ToolCall>(
  deps: ToolDeps,
  name: string,
  fn: ToolFunction<Input, Output, Call>,
  options: ToolOptions<Input, Output>,
): Tool<Input, Output, Call> {
  const { attest = false, freshnessS = Number.POSITIVE_INFINITY } = options

  function open(input: Input, callId: string | undefined): Opened {
    const watch = startStopwatch()
    const run = deps.runs.current()
    const canonical = input === undefined ? '' : canonicalText(input, maxInputChars)
    const inputHash = canonical === null ? null : deps.hashInput(name, canonical)
    const rule = attest ? deps.findRule(name, inputHash, run === null ? deps.agentName : run.agentName) : null
    if (canonical !== null) run?.notes.given(canonical)
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      ...(callId === undefined ? {} : { 'gen_ai.tool.call.id': callId }),
      ...runAttributes(run),
    }
    const span = deps.tracer.startSpan(
      `execute_tool ${name}`,
      { kind: SpanKind.INTERNAL, startTime: watch.startMs, attributes },
      deps.runs.context(),
    )
    return { watch, span, run, inputHash, rule }
  }

  function decode({ header, text }: PlainResult): Output {
    if (header.form === 'json') {
      if (options.decode !== undefined)
        throw new TypeError('the stored result was written without an encoder, but the tool has one now')
      return JSON.parse(text) as Output
    }
    if (options.decode === undefined)
      throw new TypeError('the stored result was written by an encoder, but the tool has none now')
    return options.decode(text)
  }

  /** Null: run it for real. */
  async function tryServe({ watch, span, inputHash, rule }: Opened): Promise<{ readonly result: Output } | null> {
    if (rule === null) return null
    if (deps.random() < rule.holdoutRate) {
      span.setAttribute('tracewright.holdout', true)
      span.setAttribute('tracewright.decision_id', rule.decisionId)
      deps.onHeldOut()
      return null
    }
    const fetched = await deps.fetchResult(rule, inputHash, freshnessS)
    if (!fetched.ok) {
      deps.onMiss(fetched.miss)
      return null
    }
    let result: Output
    try {
      result = decode(fetched.result)
    } catch {
      // What a tool's own decoder throws may hold what it was given, and says no more than this.
      deps.onMiss('not_decoded')
      return null
    }
    // No input hash: the age of a stored result is always that of a real execution.
    span.setAttribute('tracewright.tool.served', true)
    span.setAttribute('tracewright.decision_id', rule.decisionId)
    span.end(watch.nowMs())
    deps.onServed()
    return { result }
  }

  function finish({ watch, span, inputHash }: Opened, input: Input, result: Output): void {
    const endMs = watch.nowMs()
    try {
      if (inputHash !== null) span.setAttribute('tracewright.tool.input_hash', inputHash)
      const costUsd = typeof options.costUsd === 'function' ? options.costUsd(input, result) : options.costUsd
      if (costUsd !== undefined && costUsd >= 0) span.setAttribute('gen_ai.usage.cost', costUsd)
      if (attest) span.setAttribute('tracewright.tool.attested', true)
    } catch (error) {
      deps.onFault(error)
    }
    const { redact, encode } = options
    deps.endWith(span, endMs, attest ? { tool: name, inputHash, endMs, result, redact, encode } : null)
  }

  function fail({ watch, span, inputHash }: Opened, error: unknown): void {
    if (inputHash !== null) span.setAttribute('tracewright.tool.input_hash', inputHash)
    if (attest) span.setAttribute('tracewright.tool.attested', true)
    span.setAttribute('error.type', errorTypeOf(error))
    span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(watch.nowMs())
  }

  return async (input, call) => {
    const given = call ?? ({} as Call)
    let opened: Opened | null = null
    try {
      opened = open(input, given.callId)
      const served = await tryServe(opened)
      if (served !== null) {
        if (given.callId !== undefined) opened.run?.notes.gave(given.callId)
        return served.result
      }
    } catch (error) {
      deps.onFault(error)
    }
    // Nothing to tell it by; it runs all the same.
    if (opened === null) return await fn(input, given)
    const { span, run } = opened
    let result: Output
    try {
      result = await deps.runs.inside(span, null, () => fn(input, given))
    } catch (error) {
      fail(opened, error)
      throw error
    } finally {
      if (given.callId !== undefined) run?.notes.gave(given.callId)
    }
    finish(opened, input, result)
    return result
  }
}
