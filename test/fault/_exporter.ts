// A client that behaves like an exporter: keeps batches in flight, resends every unacknowledged batch, and remembers the acknowledged ones.
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeRequest, makeTraceSpans } from '../_kit/spans.ts'
import { postOnce } from '../ingest/_http.ts'

type Waiting = { readonly body: Buffer; readonly spanIds: readonly string[] }

export type Exporter = {
  /**
   * Sends continuously from `inFlight` senders until `pause`. Batches left from before are sent first. A sender ends where it gets no
   * answer: the service has ended.
   */
  send(baseUrl: string, inFlight: number): void
  /** Starts no new request, and resolves when every sender has its answer or its error. */
  pause(): Promise<void>
  /**
   * Sends one batch until the service takes it, and ignores the answer: the batch is sent again after `pause`. Returns the ids of its
   * spans.
   */
  sendDeaf(baseUrl: string): readonly string[]
  /** Sends the remaining batches until all of them are acknowledged. */
  drain(baseUrl: string): Promise<void>
  /** Ids of the spans acknowledged by a 200. */
  readonly acknowledged: ReadonlySet<string>
  /** Ids of all sent spans. */
  readonly sent: ReadonlySet<string>
  /** Answers that an honest exporter must never get: not 200, 429 or 503, or a rejection. */
  readonly oddities: readonly string[]
  retries(): number
  /** Returns how many requests of the senders have no answer yet. */
  open(): number
}

export const spansInBatch = 12
const agents = 5
// Short enough that some batch is in flight at any time, and long enough that the sender does not take the machine from the service under
// test.
const pauseMs = 30
/** After a refusal. */
const againMs = 100

export function openExporter(key: string): Exporter {
  const acknowledged = new Set<string>()
  const sent = new Set<string>()
  const oddities: string[] = []
  let left: Waiting[] = []
  // Batches whose answer was ignored. If they were sent again at once, one might be stored although the first attempt was refused.
  let unheard: Waiting[] = []
  let senders: Promise<void>[] = []
  let pausing = new AbortController()
  let retries = 0
  let open = 0

  function make(): Waiting {
    const spans = makeTraceSpans(spansInBatch, (at) => ({
      attributes: { 'gen_ai.agent.name': `agent-${at % agents}` },
    }))
    const spanIds = spans.map(({ spanId }) => Buffer.from(spanId).toString('hex'))
    for (const id of spanIds) sent.add(id)
    return { body: encodeRequest(spans), spanIds }
  }

  /** A batch that is not acknowledged waits to be sent again. */
  async function sendOne(baseUrl: string, batch: Waiting): Promise<'taken' | 'refused' | 'broken'> {
    open += 1
    const reply = await postOnce({ baseUrl, key }, batch.body).catch(() => null)
    open -= 1
    if (reply?.status === 200 && reply.rejected === 0) {
      for (const id of batch.spanIds) acknowledged.add(id)
      return 'taken'
    }
    if (reply !== null && reply.status !== 503 && reply.status !== 429)
      oddities.push(`${reply.status} ${reply.message}`)
    retries += 1
    left.push(batch)
    return reply === null ? 'broken' : 'refused'
  }

  async function sendUntilTaken(baseUrl: string, { body }: Waiting): Promise<void> {
    for (;;) {
      const reply = await postOnce({ baseUrl, key }, body).catch(() => null)
      if (reply?.status !== 503 && reply?.status !== 429) return
      await sleep(pauseMs)
    }
  }

  async function sendOn(baseUrl: string): Promise<void> {
    const { signal } = pausing
    while (!signal.aborted) {
      const result = await sendOne(baseUrl, left.shift() ?? make())
      if (result === 'broken') return
      await sleep(result === 'taken' ? pauseMs : againMs)
    }
  }

  return {
    acknowledged,
    sent,
    oddities,
    retries: () => retries,
    open: () => open,
    send(baseUrl, inFlight) {
      pausing = new AbortController()
      senders = Array.from({ length: inFlight }, async () => await sendOn(baseUrl))
    },
    async pause() {
      pausing.abort()
      await Promise.all(senders)
      left.push(...unheard)
      unheard = []
    },
    sendDeaf(baseUrl) {
      const batch = make()
      unheard.push(batch)
      void sendUntilTaken(baseUrl, batch)
      return batch.spanIds
    },
    async drain(baseUrl) {
      for (let batch = left.shift(); batch !== undefined; batch = left.shift()) await sendOne(baseUrl, batch)
    },
  }
}
