// SDK. Wraps a tool. A call is served where a rule covers it and all checks pass; otherwise the tool runs for real.
import { type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import { asBegun, type CallHashes, canonicalInput, makeCallHashes } from './call-hashes.ts'
import { errorTypeOf, runGiven } from './error-type.ts'
import type { Hasher, KeyedHash } from './keyed-hash.ts'
import { ignoreRejection, makeCodec, type Unwritten, type WrittenResult } from './result-codec.ts'
import type { RuleBook, Subject } from './rule-book.ts'
import { type Run, type Runs, runAttributes } from './run.ts'
import type { Attachment, Storable } from './seal-results.ts'
import { type ResultText, writePlainResult } from './sealed-result.ts'
import type { Invalidation } from './serving/invalidate.ts'
import { never } from './serving/moment.ts'
import type { ResultMemory } from './serving/result-memory.ts'
import type { Flight } from './serving/single-flight.ts'
import { hashFor, makeTryServe, type OpenCall, type ServeDeps } from './serving/try-serve.ts'
import { startStopwatch } from './stopwatch.ts'
import { checkTool, checkToolOptions, type ToolOptions } from './tool-options.ts'

export type ToolCall = {
  /**
   * The id that the model gave this call. It connects the result to the prompts that contain it. Without it, no rule about unread results
   * answers the call.
   */
  readonly callId?: string
}

export type ToolFunction<Input, Output, Call extends ToolCall> = (input: Input, call: Call) => Output | Promise<Output>

export type Tool<Input, Output, Call extends ToolCall> = {
  (input: Input, call?: Call): Promise<Output>
  /**
   * Invalidates the earlier results of this version of the tool for this input. Without an input: for every input, and if the tool declares
   * no version, of every version. They are no longer served: in this process from now on, in others when they receive the changed rules.
   * Resolves to whether the service has accepted it; if it is unavailable or limits the rate, it is asked again for up to 30 s. Never rejects.
   */
  readonly invalidate: (input?: Input) => Promise<boolean>
}

export type ToolDeps = ServeDeps & {
  readonly tracer: Tracer
  readonly runs: Runs
  readonly hasher: Hasher
  readonly findRule: RuleBook['find']
  readonly memory: Pick<ResultMemory, 'ended'>
  /** Removes results in this process, then notifies the service. `hashes`: null for all inputs. Never rejects. */
  readonly invalidate: (invalidation: Invalidation, hashes: readonly string[] | null) => Promise<boolean>
  /** Ends the span once the result, if it may be stored, is encrypted and attached. */
  readonly endWith: (span: Span, endMs: number, attach: Attachment | null) => void
  /** Maximum size of a stored result: of its plaintext, including the header. */
  readonly maxResultBytes: number
  /** The agent name of calls outside of a run. */
  readonly agentName: string
  /** To be called where others than the model may receive the result of this call. */
  readonly onReadByOthers: (callId: string) => void
  /** Receives internal errors and errors of the tool's options, such as `scope`; the call itself is not affected. */
  readonly onFault: (error: unknown) => void
}

/** Wraps the tool. Throws a TypeError where an option is wrong. The wrapped tool throws only what `fn` throws. */
export function makeTool<Input, Output, Call extends ToolCall>(
  deps: ToolDeps,
  name: string,
  fn: ToolFunction<Input, Output, Call>,
  options: ToolOptions<Input, Output>,
): Tool<Input, Output, Call> {
  checkTool(name, fn)
  const settings = checkToolOptions(options)
  const { version, unread, attestsSameInput, claims } = settings
  const { redact, equals, encode, decode, readOnly } = settings
  const isAttested = claims.length > 0
  const codec = makeCodec({ redact, equals, encode, decode, maxChars: deps.maxResultBytes })
  const tryServe = makeTryServe(deps, settings, codec)
  const hashesOf = makeCallHashes({ ...deps, tool: name, version, scope: settings.scope })
  const isReadByOthers = unread !== null && settings.consumedBy !== 'model'

  function subjectOf(inputHash: KeyedHash | null, agentName: string, callId: string | undefined): Subject | null {
    if (!isAttested || inputHash === null) return null
    // Whether a result is read is known only by its call id: rules about unread results are proven and watched on calls that have one.
    const attestsUnread = unread !== null && callId !== undefined && callId !== ''
    return { tool: name, version, inputHash, agentName, attestsSameInput, attestsUnread }
  }

  function startSpan(run: Run | null, callId: string | undefined): Pick<OpenCall, 'watch' | 'span'> {
    const watch = startStopwatch()
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      ...(callId === undefined ? {} : { 'gen_ai.tool.call.id': callId }),
      // Only this process knows that others may receive the result; it may be in a prompt of another one.
      ...(callId !== undefined && isReadByOthers ? { 'tracewright.read_tool_call_ids': [callId] } : {}),
      ...(version === null ? {} : { 'tracewright.tool.version': version }),
      ...runAttributes(run),
    }
    const span = deps.tracer.startSpan(
      `execute_tool ${name}`,
      { kind: SpanKind.INTERNAL, startTime: watch.startMs, attributes },
      deps.runs.context(),
    )
    return { watch, span }
  }

  function open(run: Run | null, input: Input, canonical: string | null, callId: string | undefined): OpenCall {
    const started = startSpan(run, callId)
    const hashes = hashesOf(input, canonical)
    const subject = subjectOf(hashes.inputHash, run === null ? deps.agentName : run.agentName, callId)
    run?.notes.given(canonical)
    if (callId !== undefined && isReadByOthers) deps.onReadByOthers(callId)
    return { ...started, run, subject, ...hashes, rule: subject === null ? null : deps.findRule(subject) }
  }

  /** Sets the attributes that every span of a real execution has. */
  function describe({ span, inputHash, scopeHash }: OpenCall): void {
    if (inputHash !== null) span.setAttribute('tracewright.tool.input_hash', inputHash)
    if (scopeHash !== null) span.setAttribute('tracewright.tool.scope_hash', scopeHash)
    if (readOnly !== undefined) span.setAttribute('tracewright.tool.read_only', readOnly)
    if (!isAttested) return
    span.setAttribute('tracewright.tool.attested', true)
    span.setAttribute('tracewright.tool.claims', [...claims])
  }

  /**
   * Records the execution in memory and passes its result to the waiting calls. If a rule would have served other content, the span reports
   * that to the service.
   */
  function settle(opened: OpenCall, flight: Flight | null, written: WrittenResult | null, endMs: number): void {
    const { watch, span, subject, inputHash, scopeHash } = opened
    if (subject === null) return
    const known = [attestsSameInput ? inputHash : null, unread === 'stored' ? scopeHash : null]
    const hashes = known.filter((hash) => hash !== null)
    const start = { unixMs: watch.startMs, monotonicMs: watch.startedAtMs }
    const end = { unixMs: endMs, monotonicMs: watch.startedAtMs + (endMs - watch.startMs) }
    // Without the plaintext and the content: asynchronous work that the tool began holds its flight, and so this, until it ends.
    const kept = written === null ? null : { form: written.form, text: written.text, end, expires: never }
    const rule = deps.findRule(subject)
    const before = opened.rule
    // The results of the rule were invalidated while the call ran; this comparison does not depend on clocks.
    const isOutdated = rule?.decisionId === before?.decisionId && rule?.executedAfterMs !== before?.executedAfterMs
    const isChanged = deps.memory.ended({
      isSame: (before) => codec.contentOf(before) === written?.content,
      tool: name,
      agentName: subject.agentName,
      hashes,
      rule,
      hash: hashes.find((hash) => rule !== null && hash === hashFor(rule, opened)) ?? null,
      result: isOutdated ? null : kept,
      start,
    })
    if (isChanged) span.setAttribute('tracewright.tool.changed', true)
    flight?.land(kept)
  }

  /** A result that is too large to be stored has no text: it is neither kept in memory nor shared. */
  function write(
    { watch, inputHash, scopeHash }: OpenCall,
    result: Output,
    endMs: number,
  ): (Storable & ResultText) | Unwritten {
    const written = codec.write(result)
    if (typeof written === 'string') return written
    const { form, text } = written
    const header = { tool: name, inputHash, scopeHash, startMs: watch.startMs, endMs, form }
    const plain = writePlainResult({ header, text })
    return plain.length > deps.maxResultBytes ? 'too_large' : { ...written, tool: name, plain }
  }

  function costOf(input: Input, result: Output): number | undefined {
    const { costUsd } = settings
    if (typeof costUsd !== 'function') return costUsd
    const what = `the function costUsd of the tool ${JSON.stringify(name)}`
    return runGiven(what, 'the span of the call reports no cost', () => costUsd(input, result))
  }

  function finish(opened: OpenCall, flight: Flight | null, input: Input, result: Output): void {
    const { watch, span } = opened
    const endMs = watch.nowMs()
    let attachment: Attachment | null = null
    try {
      describe(opened)
      if (isAttested) {
        const written = write(opened, result, endMs)
        attachment = written
        settle(opened, flight, typeof written === 'string' ? null : written, endMs)
      }
      const costUsd = costOf(input, result)
      ignoreRejection(costUsd)
      if (costUsd !== undefined && costUsd >= 0) span.setAttribute('gen_ai.usage.cost', costUsd)
    } catch (error) {
      deps.onFault(error)
    } finally {
      flight?.land(null)
    }
    try {
      deps.endWith(span, endMs, attachment)
    } catch (error) {
      deps.onFault(error)
      span.end(endMs)
    }
  }

  function fail(opened: OpenCall, flight: Flight | null, error: unknown): void {
    const { watch, span } = opened
    const endMs = watch.nowMs()
    try {
      settle(opened, null, null, endMs)
    } catch (fault) {
      deps.onFault(fault)
    } finally {
      flight?.land(null)
    }
    describe(opened)
    span.setAttribute('error.type', errorTypeOf(error))
    span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(endMs)
  }

  async function runForReal(opened: OpenCall, flight: Flight | null, input: Input, call: Call): Promise<Output> {
    const begin = (): Output | Promise<Output> => deps.runs.inside(opened.span, null, () => fn(input, call))
    let result: Output
    try {
      result = await (flight === null ? begin() : flight.run(begin))
    } catch (error) {
      fail(opened, flight, error)
      throw error
    }
    finish(opened, flight, input, result)
    return result
  }

  async function call(given: Input, about?: Call): Promise<Output> {
    const known = about ?? ({} as Call)
    const run = deps.runs.current()
    let callId: string | undefined
    let input = given
    let opened: OpenCall | null = null
    let flight: Flight | null = null
    try {
      callId = known.callId
      const canonical = canonicalInput(input)
      opened = open(run, input, canonical, callId)
      const attempting = tryServe(opened, input)
      const attempt = attempting instanceof Promise ? await attempting : attempting
      if (attempt.isServed) {
        if (callId !== undefined) run?.notes.gave(callId)
        return attempt.result
      }
      flight = attempt.flight
      // The execution begins only now. If its span included the look-up, a rule with slow look-ups would seem to save time. The first span
      // is not ended, so it is never sent.
      if (attempt.hasLookedUp) {
        opened = { ...opened, ...startSpan(run, callId) }
        input = asBegun(input, canonical)
      }
    } catch (error) {
      deps.onFault(error)
    }
    // Of a call that could not be opened, nothing is recorded, except that it had an input and has ended.
    if (opened === null) run?.notes.given(null)
    try {
      return await (opened === null ? fn(input, known) : runForReal(opened, flight, input, known))
    } finally {
      if (callId !== undefined) run?.notes.gave(callId)
    }
  }

  async function invalidate(input?: Input): Promise<boolean> {
    let hashes: CallHashes = { inputHash: null, scopeHash: null }
    try {
      if (input !== undefined) hashes = hashesOf(input, canonicalInput(input))
    } catch (error) {
      deps.onFault(error)
    }
    const { inputHash, scopeHash } = hashes
    // An input without a hash cannot be distinguished from others, so all results of the tool are invalidated.
    const known = inputHash === null ? null : [inputHash, ...(scopeHash === null ? [] : [scopeHash])]
    return await deps.invalidate({ tool: name, version, inputHash }, known)
  }

  return Object.assign(call, { invalidate })
}
