// SDK. The queue of ended spans, limited in number and in bytes. It sends them in batches, and sends them again while the service is down.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-base'
import { backOffMs } from '../back-off.ts'
import { type Failures, noFailures, openBatchLimit } from './batch-limit.ts'
import type { SendSpans } from './send-spans.ts'

export type SpanQueueOptions = {
  readonly send: SendSpans
  readonly maxSpans: number
  readonly maxBytes: number
  /** How long an ended span waits for others. */
  readonly flushIntervalMs: number
  readonly random: () => number
  readonly onDropped: (spans: number) => void
  readonly onRejected: (spans: number) => void
  /** Receives why a batch was not stored, a status or an error code, and whether it stays in the queue to be sent again. */
  readonly onFailure: (why: string, isRetried: boolean) => void
  readonly backOff?: typeof defaultBackOff
}

export type SpanQueue = {
  readonly processor: SpanProcessor
  readonly waiting: () => number
  /**
   * Resolves to true once the queue is empty and if no span was dropped since the last flush, otherwise to false, at the latest after
   * `timeoutMs`. Never rejects.
   */
  readonly flush: (timeoutMs: number) => Promise<boolean>
  /** Drops the waiting spans and all later ones. */
  readonly stop: () => void
}

type Item = Failures & { readonly span: ReadableSpan; readonly bytes: number }

// Far below the service's limits for a request (16 MiB compressed, 64 MiB inflated, 10,000 spans).
const batch = { maxSpans: 512, maxBytes: 4 * 1_048_576 }
const defaultBackOff = { firstMs: 1_000, maxMs: 30_000 }
const spanBytes = 1_024
/** Size of an event or a link without its attributes. */
const holderBytes = 128
const scalarBytes = 16
const payloadNames = ['ciphertext', 'iv', 'tag', 'key_id'].map((part) => `tracewright.tool.${part}`)

function weighValue(value: unknown): number {
  if (typeof value === 'string') return value.length
  let bytes = scalarBytes
  if (Array.isArray(value))
    for (const item of value) bytes += scalarBytes + (typeof item === 'string' ? item.length : 0)
  return bytes
}

function weighAttributes(attributes: Attributes = {}): number {
  let bytes = 0
  for (const key in attributes) bytes += key.length + weighValue(attributes[key])
  return bytes
}

/** Returns the approximate size in bytes. Events count, since spans of other instrumentations may have most of their bytes there. */
function weigh({ attributes, events, links }: ReadableSpan): number {
  let bytes = spanBytes + weighAttributes(attributes)
  for (const event of events) bytes += holderBytes + weighAttributes(event.attributes)
  for (const link of links) bytes += holderBytes + weighAttributes(link.attributes)
  return bytes
}

async function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  if (waitMs > 0) await sleep(waitMs, undefined, { ref: false, signal }).catch(() => undefined)
}

export function openSpanQueue(options: SpanQueueOptions): SpanQueue {
  const queue: Item[] = []
  const backOff = options.backOff ?? defaultBackOff
  const limit = openBatchLimit(batch.maxSpans)
  const stopped = new AbortController()
  let queuedBytes = 0
  let dropped = 0
  /** The count at the end of the last flush. */
  let droppedBefore = 0
  let timer: NodeJS.Timeout | undefined
  let draining = Promise.resolve()
  let isDraining = false
  let hurry = new AbortController()

  function drop(spans: number): void {
    dropped += spans
    options.onDropped(spans)
  }

  function add(span: ReadableSpan): void {
    if (stopped.signal.aborted) return drop(1)
    let bytes = weigh(span)
    if (queuedBytes + bytes > options.maxBytes) {
      // The record of what the agent did is worth more than a result for reuse, so the encrypted result is removed first.
      for (const name of payloadNames) delete span.attributes[name]
      bytes = weigh(span)
    }
    if (queue.length >= options.maxSpans || queuedBytes + bytes > options.maxBytes) return drop(1)
    queue.push({ ...noFailures, span, bytes })
    queuedBytes += bytes
    if (queue.length >= batch.maxSpans) return start()
    timer ??= setTimeout(start, options.flushIntervalMs).unref()
  }

  function start(): void {
    clearTimeout(timer)
    timer = undefined
    if (isDraining) return
    isDraining = true
    draining = drain()
  }

  /** Returns how many of the oldest spans form the next batch. */
  function nextBatch(): number {
    const most = Math.min(queue.length, limit.spans())
    let bytes = 0
    for (let at = 0; at < most; at++) {
      bytes += queue[at]?.bytes ?? 0
      if (bytes > batch.maxBytes) return Math.max(1, at)
    }
    return most
  }

  /** Moves the oldest span, on which the service failed alone, to the end of the queue, or drops it after enough failures. */
  function passOver(): void {
    const [item] = queue.splice(0, 1)
    if (item === undefined) return
    if (!limit.isHopeless(item)) return void queue.push(item)
    queuedBytes -= item.bytes
    drop(1)
  }

  /** Waits for the time that the service asked for and for the back-off, whichever is longer. A flush cuts only the back-off short. */
  async function waitToRetry(tries: number, askedMs: number): Promise<void> {
    const hurried = hurry.signal
    const restMs = backOffMs(tries, backOff.firstMs, backOff.maxMs, options.random) - askedMs
    await pause(askedMs, stopped.signal)
    await pause(restMs, AbortSignal.any([stopped.signal, hurried]))
  }

  /**
   * Sends the oldest spans, which stay in the queue until the outcome is known. Returns false where they have to be sent again, after the
   * wait for the next try.
   */
  async function sendBatch(tries: number): Promise<boolean> {
    const size = nextBatch()
    const sent = await options.send(queue.slice(0, size).map(({ span }) => span)).catch((error: unknown) => {
      // Spans that cannot be serialized are dropped: they would block all spans behind them.
      const why = error instanceof Error ? error.name : 'unknown'
      return { outcome: 'lost', why } as const
    })
    if (sent.outcome !== 'stored' && !stopped.signal.aborted) options.onFailure(sent.why, sent.outcome === 'again')
    if (sent.outcome === 'again') {
      if (sent.isFailed && !stopped.signal.aborted && !limit.shrink()) passOver()
      await waitToRetry(tries, sent.waitMs ?? 0)
      return false
    }
    if (stopped.signal.aborted) return true
    for (const { bytes } of queue.splice(0, size)) queuedBytes -= bytes
    limit.grow()
    if (sent.outcome === 'lost') drop(size)
    else if (sent.rejected > 0) options.onRejected(sent.rejected)
    return true
  }

  async function drain(): Promise<void> {
    let tries = 1
    try {
      while (queue.length > 0 && !stopped.signal.aborted) tries = (await sendBatch(tries)) ? 1 : tries + 1
    } finally {
      // Reset in the same turn of the event loop in which the queue was found empty, so that a span added later starts a new drain.
      isDraining = false
    }
  }

  async function flush(timeoutMs: number): Promise<boolean> {
    const from = droppedBefore
    const isEmpty = await empty(timeoutMs)
    droppedBefore = dropped
    return isEmpty && dropped === from
  }

  /** Resolves to true once the queue is empty, or to false after `timeoutMs`. */
  async function empty(timeoutMs: number): Promise<boolean> {
    if (queue.length === 0) return true
    hurry.abort()
    hurry = new AbortController()
    start()
    let timer: NodeJS.Timeout | undefined
    // This timer keeps the process alive until then; the background requests of this client do not.
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), timeoutMs)
    })
    const done = draining.then(() => queue.length === 0)
    try {
      return await Promise.race([done, late])
    } finally {
      clearTimeout(timer)
    }
  }

  function stop(): void {
    if (stopped.signal.aborted) return
    clearTimeout(timer)
    stopped.abort()
    if (queue.length > 0) drop(queue.length)
    queue.length = 0
    queuedBytes = 0
  }

  return {
    processor: {
      onStart: () => undefined,
      onEnd: add,
      // Another component's flush of the provider must not change what the next `flush` says.
      forceFlush: async () => void (await empty(5_000)),
      shutdown: async () => stop(),
    },
    waiting: () => queue.length,
    flush,
    stop,
  }
}
