// Decodes the bytes of a request to rows for COPY: the work of a decode thread. A bad span does not affect the others.
import { uuidToBytes } from '../base/ids.ts'
import { makeCopyWriter } from '../encode/copy-writer.ts'
import { openPayloadEncoder } from '../encode/payload.ts'
import { openPayloadBlocks } from '../encode/payload-blocks.ts'
import { openResultSubjects } from '../encode/result-subjects.ts'
import type { EventRow } from '../encode/row.ts'
import { type Event, hasUsage, noUsage } from '../event/event.ts'
import type { Span } from '../event/span.ts'
import { cutEvent } from '../normalise/cut-event.ts'
import { normalise } from '../normalise/normalise.ts'
import { walkRequest } from '../otlp/decode-request.ts'
import { openTally, type RejectionTally } from '../otlp/intake/rejection-tally.ts'
import { openSlicer } from '../otlp/protobuf/slicer.ts'
import { type PriceBook, type Priced, senderSource } from '../pricing/price-book.ts'
import { openPricesByWorkspace } from '../pricing/shared-prices.ts'
import { openEventRedactor } from '../redact/redact-event.ts'
import { openRedactor, type Redactor } from '../redact/redactor.ts'
import { type Resolved, resolve } from '../resolve/resolve.ts'
import { addToBatch, finishBatch, openBatch } from './batch-writer.ts'
import { openContradicted } from './contradicted.ts'
import type { DecodeResult, DecodeTask } from './decode-task.ts'
import { openRepeats } from './repeats.ts'
import { toResolveInput } from './resolve-input.ts'
import { openSpanGuard } from './span-guard.ts'

export type DecodeBatch = (task: DecodeTask) => DecodeResult

/**
 * Returns a function that decodes, normalises, resolves within the request, prices, applies the content mode, and encodes. It never throws
 * because of the bytes of a request. The body cannot be used afterwards. One decoder serves one request at a time and keeps its buffers:
 * new ones for each request would be most of the garbage of a busy thread.
 */
export function openBatchDecoder(table: PriceBook): DecodeBatch {
  const pricesOf = openPricesByWorkspace(table)
  const events = makeCopyWriter()
  const results = makeCopyWriter(0)
  const slicer = openSlicer()
  const redactors = openRedactors()
  const guard = openSpanGuard()
  const blocks = openPayloadBlocks(noWorkspace)
  const payloads = openPayloadEncoder('none', redactors(noSecret), blocks)
  const columns = openEventRedactor('none', redactors(noSecret))
  const repeats = openRepeats()
  const subjects = openResultSubjects()
  const contradicted = openContradicted()
  // The state of the request that is being decoded.
  let workspaceId = noWorkspace
  let redactor = redactors(noSecret)
  let prices = table
  let read: EventRow[] = []
  let withheldSpans = 0
  const noBatch = openBatch(0, events, results)
  let batch = noBatch

  function take(span: Span): void {
    const sent = normalise(span)
    const startUs = Number(sent.startTimeUnixNano / 1_000n)
    if (repeats.isRepeat(sent)) return
    const priced = priceCall(sent, startUs, prices)
    // Only the kept event is used from here on, so that settling, which reads the stored columns, gets the same results.
    const event = cutEvent(columns.keep(sent))
    subjects.add(event)
    contradicted.add(event)
    const payload = payloads.encode(span, event, startUs)
    const usage = isCall(event) ? event.usage : noUsage
    if (event.flags.has('content_withheld')) withheldSpans++
    read.push({ workspaceId, startUs, event, usage, priced, payload, resolved: unresolved })
  }

  const onSpan = (span: Span): void => void guard.attempt(take, span)
  const addRow = (row: EventRow): void => addToBatch(batch, row)

  /** Clears the state of the request. Called after it, and also before the next one, in case a bug ended the previous one. */
  function forget(): void {
    events.cutTo(0)
    results.cutTo(0)
    redactor.forget()
    repeats.clear()
    subjects.clear()
    read = []
    withheldSpans = 0
    contradicted.clear()
    batch = noBatch
  }

  function begin(task: DecodeTask, rejections: RejectionTally): void {
    forget()
    workspaceId = uuidToBytes(task.workspaceId)
    redactor = redactors(task.redactionSecret)
    prices = pricesOf(task.workspaceId, task.prices)
    guard.begin(rejections)
    blocks.begin(workspaceId)
    columns.begin(task.contentMode, redactor)
    payloads.begin(task.contentMode, redactor)
  }

  return (task) => {
    const startedAtMs = performance.now()
    const cpuBefore = process.threadCpuUsage()
    const rejections = openTally()
    begin(task, rejections)
    const walked = walkRequest(
      {
        body: task.body,
        contentType: task.encoding,
        gzip: task.gzip,
        nowMs: task.nowMs,
        limits: task.limits,
      },
      rejections,
      onSpan,
      slicer,
    )
    if (!walked.ok) {
      forget()
      return { ...walked, cpuMs: cpuMsSince(cpuBefore) }
    }
    resolveByTrace(read)
    batch = openBatch(read.length, events, results)
    for (const row of read) guard.attempt(addRow, row)
    const decoded: DecodeResult = {
      ok: true,
      received: walked.received,
      ...finishBatch(batch),
      ...blocks.finish(),
      repeats: repeats.count(),
      rejections,
      resultSubjects: subjects.finish(),
      contradicted: contradicted.finish(),
      bugs: guard.bugs(),
      withheldSpans,
      durationMs: performance.now() - startedAtMs,
      cpuMs: cpuMsSince(cpuBefore),
    }
    forget()
    return decoded
  }
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

const noWorkspace = new Uint8Array(16)
const noSecret = new Uint8Array(32)

/** Returns a function that returns the redactor of a secret. It reuses the previous one if the secret is the same. */
function openRedactors(): (secret: Uint8Array) => Redactor {
  let known = Buffer.from(noSecret)
  let redactor = openRedactor(known)
  return (secret) => {
    if (Buffer.compare(known, secret) === 0) return redactor
    known = Buffer.from(secret)
    redactor = openRedactor(known)
    return redactor
  }
}

/** Only calls of models have tokens. An agent, chain or tool that reports tokens repeats those of the calls inside it. */
const isCall = ({ kind }: Event): boolean => kind === 'llm' || kind === 'embedding'

/** The sender's cost and the computed one disagree above this share of the larger. Senders round, and their lists are older or newer. */
const costSlack = 0.05

const unknownPrice: Priced = { costUsd: null, cacheSavingsUsd: null, source: null }

/**
 * Prices a call by the workspace's prices or the price lists, else by the sender's cost. Flags a call with tokens and no known price, and a
 * sender's cost that disagrees. A call whose output was dropped as absurd has no price but the sender's.
 */
function priceCall(event: Event, startUs: number, prices: PriceBook): Priced {
  if (!isCall(event)) return unknownPrice
  // The price of the input alone would be too low.
  const priced = event.isOutputLost
    ? unknownPrice
    : prices.priceUsage({
        provider: event.provider,
        model: event.model,
        usage: event.usage,
        startTimeMs: Math.floor(startUs / 1_000),
        serviceTier: event.serviceTier,
        batch: event.batch,
      })
  const provided = event.providedCostUsd
  if (priced.costUsd === null && provided !== null)
    return { costUsd: provided, cacheSavingsUsd: null, source: senderSource }
  // A count that was dropped as absurd is as good as reported: the call has cost something.
  if (priced.costUsd === null && (hasUsage(event) || event.flags.has('usage_invalid'))) event.flags.add('unpriced')
  if (priced.costUsd !== null && provided !== null && disagree(priced.costUsd, provided))
    event.flags.add('cost_disagrees')
  return priced
}

const disagree = (one: number, other: number): boolean => Math.abs(one - other) > costSlack * Math.max(one, other)

/** A placeholder until the trace is resolved. */
const unresolved: Resolved = {
  agentName: '',
  agentProvisional: false,
  hasAgent: false,
  sessionId: null,
  userId: null,
  counted: false,
  toldTwice: false,
  nestedCall: false,
  idRepeated: false,
  reasoningTokens: null,
  errorCarried: false,
  callAt: -1,
}

function resolveByTrace(read: readonly EventRow[]): void {
  const traces = new Map<string, EventRow[]>()
  for (const row of read) {
    const trace = traces.get(row.event.traceId)
    if (trace === undefined) traces.set(row.event.traceId, [row])
    else trace.push(row)
  }
  for (const trace of traces.values()) {
    const resolved = resolve(trace.map(toResolveInput))
    for (let nth = 0; nth < trace.length; nth++) {
      const row = trace[nth] as EventRow
      row.resolved = resolved[nth] as Resolved
      addFlags(row)
      const { counted, reasoningTokens } = row.resolved
      if (counted && reasoningTokens !== row.usage.reasoningTokens && isCall(row.event))
        row.usage = { ...row.usage, reasoningTokens }
    }
  }
}

function addFlags({ event: { flags }, resolved }: EventRow): void {
  if (resolved.toldTwice) flags.add('told_twice')
  if (resolved.nestedCall) flags.add('nested_call')
  if (resolved.idRepeated) flags.add('id_repeated')
  if (resolved.errorCarried) flags.add('error_carried')
}
