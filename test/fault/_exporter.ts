// A client as exporters are: keeps batches in flight, sends again whatever was not acknowledged, and remembers what was.
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeRequest, makeBatch } from '../_kit/spans.ts'
import { post } from '../ingest/_http.ts'

type Waiting = { readonly body: Buffer; readonly spanIds: readonly string[] }

export type Exporter = {
  /** Sends over and over from `inFlight` senders, until `pause`. Batches left from before go first. */
  send(baseUrl: string, inFlight: number): void
  /** Starts nothing new and resolves when every sender has its answer or its error. */
  pause(): Promise<void>
  /** Sends one batch until the service takes it, and acts on no answer: to be sent again after `pause`. Gives the ids of its spans. */
  sendDeaf(baseUrl: string): readonly string[]
  /** Sends what is left until all of it is acknowledged. */
  drain(baseUrl: string): Promise<void>
  /** Ids of the spans that a 200 acknowledged. */
  readonly acknowledged: ReadonlySet<string>
  /** Ids of all spans that were ever sent. */
  readonly sent: ReadonlySet<string>
  /** Answers that no exporter may get while it is honest: not 200, 429 or 503, or a rejection. */
  readonly oddities: readonly string[]
  retries(): number
}

const spansInBatch = 40
const agents = 5
// Enough that some batch is in flight at any time, and not so much that the sender takes the machine from what is tested.
const pauseMs = 30

export function openExporter(key: string): Exporter {
  const acknowledged = new Set<string>()
  const sent = new Set<string>()
  const oddities: string[] = []
  let left: Waiting[] = []
  // Those whose answer nobody heard. Sent again at once, one might be stored although the first was refused.
  let unheard: Waiting[] = []
  let senders: Promise<void>[] = []
  let pausing = new AbortController()
  let retries = 0

  function make(): Waiting {
    const spans = makeBatch(spansInBatch, (at) => ({ attributes: { 'gen_ai.agent.name': `agent-${at % agents}` } }))
    const spanIds = spans.map(({ spanId }) => Buffer.from(spanId).toString('hex'))
    for (const id of spanIds) sent.add(id)
    return { body: encodeRequest(spans), spanIds }
  }

  /** True where the batch was acknowledged; otherwise it waits to be sent again. */
  async function sendOne(baseUrl: string, batch: Waiting): Promise<boolean> {
    const reply = await post({ baseUrl, key }, batch.body).catch(() => null)
    if (reply?.status === 200 && reply.rejected === 0) {
      for (const id of batch.spanIds) acknowledged.add(id)
      return true
    }
    if (reply !== null && reply.status !== 503 && reply.status !== 429)
      oddities.push(`${reply.status} ${reply.message}`)
    retries += 1
    left.push(batch)
    return false
  }

  async function sendUntilTaken(baseUrl: string, { body }: Waiting): Promise<void> {
    for (;;) {
      const reply = await post({ baseUrl, key }, body).catch(() => null)
      if (reply?.status !== 503 && reply?.status !== 429) return
      await sleep(pauseMs)
    }
  }

  async function sendOn(baseUrl: string): Promise<void> {
    const { signal } = pausing
    while (!signal.aborted) {
      if (!(await sendOne(baseUrl, left.shift() ?? make()))) return
      await sleep(pauseMs)
    }
  }

  return {
    acknowledged,
    sent,
    oddities,
    retries: () => retries,
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
