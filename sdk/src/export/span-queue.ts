// SDK. Ended spans on their way to the service: bounded in number and in bytes, in batches, sent again while it is away.
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
  /** Told why a batch was not stored: a status or a code. */
  readonly onFailure: (why: string) => void
}

export type SpanQueue = {
  readonly processor: SpanProcessor
  readonly waiting: () => number
  /** True where all that had ended was sent; false where that took longer. Never rejects. */
  readonly flush: (timeoutMs: number) => Promise<boolean>
  /** Takes no more spans and sends none. */
  readonly stop: () => void
}

type Item = Failures & { readonly span: ReadableSpan; readonly bytes: number }

// Far below what the service takes in one request (16 MiB compressed, 64 MiB inflated, 10,000 spans).
const batch = { maxSpans: 512, maxBytes: 4 * 1_048_576 }
const backOff = { firstMs: 1_000, maxMs: 30_000 }
const spanBytes = 1_024
/** Of an event or a link, without its attributes. */
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

/** About. Spans of other instrumentations may have most of their bytes in their events. */
function weigh({ attributes, events, links }: ReadableSpan): number {
  let bytes = spanBytes + weighAttributes(attributes)
  for (const event of events) bytes += holderBytes + weighAttributes(event.attributes)
  for (const link of links) bytes += holderBytes + weighAttributes(link.attributes)
  return bytes
}

export function openSpanQueue(options: SpanQueueOptions): SpanQueue {
  const queue: Item[] = []
  const limit = openBatchLimit(batch.maxSpans)
  const stopped = new AbortController()
  let queuedBytes = 0
  let timer: NodeJS.Timeout | undefined
  let draining = Promise.resolve()
  let isDraining = false
  let hurry = new AbortController()

  function add(span: ReadableSpan): void {
    if (stopped.signal.aborted) return options.onDropped(1)
    let bytes = weigh(span)
    if (queuedBytes + bytes > options.maxBytes) {
      // What the agent did is worth more than a result that may be used again.
      for (const name of payloadNames) delete span.attributes[name]
      bytes = weigh(span)
    }
    if (queue.length >= options.maxSpans || queuedBytes + bytes > options.maxBytes) return options.onDropped(1)
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

  /** How many of the oldest make a batch. */
  function nextBatch(): number {
    const most = Math.min(queue.length, limit.spans())
    let bytes = 0
    for (let at = 0; at < most; at++) {
      bytes += queue[at]?.bytes ?? 0
      if (bytes > batch.maxBytes) return Math.max(1, at)
    }
    return most
  }

  /** Nothing waits behind a span that the service fails on by itself: it goes last, or is lost where it has failed often enough. */
  function passOver(): void {
    const [item] = queue.splice(0, 1)
    if (item === undefined) return
    if (!limit.isHopeless(item)) return void queue.push(item)
    queuedBytes -= item.bytes
    options.onDropped(1)
  }

  /** Sends the oldest. False, after the wait for the next try, where they are to be sent again: they are in the queue until it is known. */
  async function sendBatch(tries: number): Promise<boolean> {
    const size = nextBatch()
    const sent = await options.send(queue.slice(0, size).map(({ span }) => span)).catch((error: unknown) => {
      // What cannot even be written down would stop all that comes after it.
      const why = error instanceof Error ? error.name : 'unknown'
      return { outcome: 'lost', why } as const
    })
    if (sent.outcome !== 'stored' && !stopped.signal.aborted) options.onFailure(sent.why)
    if (sent.outcome === 'again') {
      if (sent.isFailed && !stopped.signal.aborted && !limit.shrink()) passOver()
      const waitMs = sent.waitMs ?? backOffMs(tries, backOff.firstMs, backOff.maxMs, options.random)
      // A flush does not wait for a guess, but for what the service has asked for.
      const signals = sent.waitMs === null ? [stopped.signal, hurry.signal] : [stopped.signal]
      await sleep(waitMs, undefined, { ref: false, signal: AbortSignal.any(signals) }).catch(() => undefined)
      return false
    }
    if (stopped.signal.aborted) return true
    for (const { bytes } of queue.splice(0, size)) queuedBytes -= bytes
    limit.grow()
    if (sent.outcome === 'lost') options.onDropped(size)
    else if (sent.rejected > 0) options.onRejected(sent.rejected)
    return true
  }

  async function drain(): Promise<void> {
    let tries = 1
    try {
      while (queue.length > 0 && !stopped.signal.aborted) tries = (await sendBatch(tries)) ? 1 : tries + 1
    } finally {
      // In the turn in which the queue was found empty: what is added in the next one begins anew.
      isDraining = false
    }
  }

  async function flush(timeoutMs: number): Promise<boolean> {
    if (queue.length === 0) return true
    hurry.abort()
    hurry = new AbortController()
    start()
    let timer: NodeJS.Timeout | undefined
    // Keeps the process until then, which nothing else of this client does.
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
    if (queue.length > 0) options.onDropped(queue.length)
    queue.length = 0
    queuedBytes = 0
  }

  return {
    processor: {
      onStart: () => undefined,
      onEnd: add,
      forceFlush: async () => void (await flush(5_000)),
      shutdown: async () => stop(),
    },
    waiting: () => queue.length,
    flush,
    stop,
  }
}
