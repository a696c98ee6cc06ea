// SDK. Decides a covered call of a tool: it is held out, answered by the tool's stub, or answered with a stored result.
import type { Span } from '@opentelemetry/api'
import type { CallHashes } from '../call-hashes.ts'
import { type Codec, ignoreRejection, isAwaitable } from '../result-codec.ts'
import type { Rule, Subject } from '../rule-book.ts'
import type { Run } from '../run.ts'
import type { MissReason, ServedFrom } from '../stats.ts'
import type { Stopwatch } from '../stopwatch.ts'
import type { CheckedToolOptions } from '../tool-options.ts'
import type { CoveredCall, Offer } from './offer-result.ts'
import { isSessionHeldOut } from './session-holdout.ts'
import type { Flight } from './single-flight.ts'

export type OpenCall = CallHashes & {
  readonly watch: Stopwatch
  readonly span: Span
  readonly run: Run | null
  /** Null: no rule can cover the call. */
  readonly subject: Subject | null
  readonly rule: Rule | null
}

/** `flight`: the calls that wait for the result of the real call. `hasLookedUp`: the look-up of a stored result has taken time. */
export type Attempt<Output> =
  | { readonly isServed: true; readonly result: Output }
  | { readonly isServed: false; readonly flight: Flight | null; readonly hasLookedUp: boolean }

export type ServeDeps = {
  readonly offerResult: (call: CoveredCall) => Promise<Offer>
  readonly random: () => number
  readonly onServed: (from: ServedFrom) => void
  readonly onHeldOut: () => void
  readonly onMiss: (miss: MissReason) => void
}

type Served<Output> = { readonly result: Output; readonly from: ServedFrom }

const real: Attempt<never> = { isServed: false, flight: null, hasLookedUp: false }

/** Returns the hash under which the rule serves the result of the call. */
export const hashFor = (rule: Rule, { inputHash, scopeHash }: CallHashes): string | null =>
  rule.type === 'reuse_identity' ? inputHash : scopeHash

/**
 * The returned function throws and rejects only on an internal error of this client. It ends the span of a call that it serves. It returns
 * a promise only if it has to look up a stored result: any other call begins at once, as it would without this client.
 */
export function makeTryServe<Input, Output>(
  deps: ServeDeps,
  { freshnessS, unread }: CheckedToolOptions<Input, Output>,
  codec: Codec<Output>,
): (call: OpenCall, input: Input) => Attempt<Output> | Promise<Attempt<Output>> {
  function isHeldOut({ type, decisionId, holdoutRate }: Rule, { run, span }: OpenCall): boolean {
    if (type === 'reuse_identity') return deps.random() < holdoutRate
    return isSessionHeldOut(decisionId, run?.sessionId ?? span.spanContext().traceId, holdoutRate)
  }

  function callStub(stub: (input: Input) => Output, input: Input): Served<Output> | null {
    try {
      const result = stub(input)
      if (!isAwaitable(result)) return { result, from: 'stub' }
      ignoreRejection(result)
    } catch {
      // The error of a stub is not used: it may contain the input, and it adds nothing to `stub_failed`.
    }
    deps.onMiss('stub_failed')
    return null
  }

  function end({ watch, span }: OpenCall, { decisionId }: Rule, { result, from }: Served<Output>): Attempt<Output> {
    // A served call sends no input hash, so that the age of a stored result is always that of a real execution.
    span.setAttribute('tracewright.tool.served', true)
    span.setAttribute('tracewright.decision_id', decisionId)
    span.end(watch.nowMs())
    deps.onServed(from)
    return { isServed: true, result }
  }

  async function serveStored(call: OpenCall, subject: Subject, rule: Rule): Promise<Attempt<Output>> {
    const hash = hashFor(rule, call)
    if (hash === null) return real
    const offer = await deps.offerResult({ subject, rule, hash, freshnessS, contentOf: codec.contentOf })
    if (offer.result === null) {
      deps.onMiss(offer.miss)
      return { isServed: false, flight: offer.flight, hasLookedUp: true }
    }
    let result: Output
    try {
      result = codec.read(offer.result)
    } catch {
      // The error of `decode` is not used: it may contain the result, and it adds nothing to `not_decoded`.
      deps.onMiss('not_decoded')
      return { isServed: false, flight: null, hasLookedUp: true }
    }
    return end(call, rule, { result, from: offer.from })
  }

  return (call, input) => {
    const { rule, subject, span } = call
    if (rule === null || subject === null) return real
    if (isHeldOut(rule, call)) {
      span.setAttribute('tracewright.holdout', true)
      span.setAttribute('tracewright.decision_id', rule.decisionId)
      deps.onHeldOut()
      return real
    }
    if (rule.type === 'reuse_identity' || typeof unread !== 'function') return serveStored(call, subject, rule)
    const served = callStub(unread, input)
    return served === null ? real : end(call, rule, served)
  }
}
