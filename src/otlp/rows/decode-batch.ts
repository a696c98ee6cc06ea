// Floor 1. A request's bytes to rows for COPY: what a decode thread does. One bad span never harms its neighbours.
import type { PriceBook, Priced } from '../../pricing/price-book.ts'
import type { Event, Usage } from '../event.ts'
import { decodeRequest } from '../intake/decode-request.ts'
import { normalise } from '../normalise.ts'
import { openRedactor } from '../redact/redactor.ts'
import type { Span } from '../span.ts'
import { responseKeyOf } from '../trace/repeated-calls.ts'
import { type Resolved, type ResolveInput, resolve } from '../trace/resolve.ts'
import { makeCopyWriter } from './copy-writer.ts'
import type { DecodeResult, DecodeTask } from './decode-task.ts'
import { openPayloadEncoder } from './payload.ts'
import { openPayloadBlocks } from './payload-blocks.ts'
import { writeStageRow } from './row.ts'
import { openSpanGuard } from './span-guard.ts'

/** Decodes, normalises, resolves within the request, prices, applies the content mode, and encodes. Never throws for what the bytes hold. */
export function decodeBatch(task: DecodeTask, prices: PriceBook): DecodeResult {
  const startedAtMs = performance.now()
  const decoded = decodeRequest({
    body: task.body,
    contentType: task.encoding,
    gzip: task.gzip,
    nowMs: task.nowMs,
    limits: task.limits,
  })
  if (!decoded.ok) return decoded

  const guard = openSpanGuard(decoded.rejections)
  const read: { readonly span: Span; readonly event: Event }[] = []
  for (const span of decoded.spans) guard.attempt(() => read.push({ span, event: normalise(span) }))
  const resolved = resolveByTrace(read.map(({ event }) => event))
  const redactor = openRedactor(task.redactionSecret)
  const payloads = openPayloadEncoder(task.contentMode, redactor)
  const blocks = openPayloadBlocks(task.workspaceId)
  const writer = makeCopyWriter()
  const offsets = [0]
  for (const [rowNo, { span, event }] of read.entries()) {
    const isWritten = guard.attempt(() => {
      const priced = priceCall(event, prices)
      const payload = blocks.add(payloads.encode(span, event), event.startTimeUnixNano)
      const shown = task.contentMode === 'full' ? event : withoutSecrets(event, redactor.text)
      writeStageRow(writer, {
        workspaceId: task.workspaceId,
        rowNo,
        event: isCall(event) ? shown : { ...shown, usage: noUsage },
        resolved: resolved[rowNo] as Resolved,
        priced,
        payload,
      })
    })
    if (isWritten) offsets.push(writer.length())
    else writer.cutTo(offsets.at(-1) ?? 0)
  }
  return {
    ok: true,
    received: decoded.received,
    rows: writer.finish(),
    blocks: blocks.finish(),
    offsets: Uint32Array.from(offsets),
    rejections: decoded.rejections,
    bugs: guard.bugs,
    durationMs: performance.now() - startedAtMs,
  }
}

/** Only these have tokens of their own: an agent, a chain or a tool that tells of tokens repeats those of the calls inside it. */
const isCall = ({ kind }: Event): boolean => kind === 'llm' || kind === 'embedding'

const noUsage: Usage = {
  inputTokens: null,
  outputTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  cacheWrite1hTokens: null,
  reasoningTokens: null,
}

/** Flags a call whose tokens are told and whose price is not known. */
function priceCall(event: Event, prices: PriceBook): Priced {
  if (!isCall(event)) return { costUsd: null, cacheSavingsUsd: null, source: null }
  const priced = prices.priceUsage({
    provider: event.provider,
    model: event.model,
    usage: event.usage,
    startTimeMs: Number(event.startTimeUnixNano / 1_000_000n),
    serviceTier: event.serviceTier,
    batch: event.batch,
  })
  if (hasUsage(event) && priced.costUsd === null) event.flags.add('unpriced')
  return priced
}

const hasUsage = ({ usage }: Event): boolean => usage.inputTokens !== null || usage.outputTokens !== null

/** An error message often quotes what the caller sent. */
function withoutSecrets(event: Event, redact: (text: string) => { text: string }): Event {
  return event.errorMessage === null ? event : { ...event, errorMessage: redact(event.errorMessage).text }
}

function resolveByTrace(events: readonly Event[]): Resolved[] {
  const places = new Map<string, number[]>()
  for (const [at, { traceId }] of events.entries()) {
    const known = places.get(traceId)
    if (known === undefined) places.set(traceId, [at])
    else known.push(at)
  }
  const results: Resolved[] = Array.from({ length: events.length })
  for (const trace of places.values()) {
    const resolved = resolve(trace.map((at) => toResolveInput(events[at] as Event)))
    for (const [nth, at] of trace.entries()) results[at] = resolved[nth] as Resolved
  }
  return results
}

function toResolveInput(event: Event): ResolveInput {
  const startTimeUs = event.startTimeUnixNano / 1_000n
  return {
    spanId: event.spanId,
    parentSpanId: event.parentSpanId,
    startTimeUs,
    kind: event.kind,
    agentOwn: event.agentOwn,
    agentFallback: event.agentFallback,
    sessionOwn: event.sessionId,
    userOwn: event.userId,
    toolName: event.toolName,
    toolCallId: event.toolCallId,
    hasUsage: hasUsage(event),
    endTimeUs: startTimeUs + BigInt(event.durationUs ?? 0),
    responseKey: responseKeyOf(event.responseId, event.usage.inputTokens, event.usage.outputTokens),
  }
}
