// An open-loop load: requests at a fixed rate, independent of the answers, over a bounded number of connections.
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Posted, postSpans } from './_post.ts'

/** A request that the service has not acknowledged yet. */
export type Parcel = { readonly key: string; readonly body: Uint8Array; readonly spans: number }

export type FloodOptions = {
  readonly baseUrl: string
  /** The requests to send. A refused one is sent again later, an acknowledged one never. */
  readonly parcels: Parcel[]
  readonly requestsPerS: number
  readonly connections: number
  readonly durationMs: number
  /** The load goes on after that until this many requests were sent. Default: 0. */
  readonly leastRequests?: number
}

export type Flooded = {
  /** Duration of the load. */
  readonly seconds: number
  /** From the end of the load until the last request in flight was answered. */
  readonly drainMs: number
  /** CPU of this process: the load's own share of the machine. */
  readonly cpuSeconds: number
  /** Requests that were due, and the number of them for which a connection was free. */
  readonly due: number
  readonly sent: number
  /** Requests by status, `broken` where there was no answer. */
  readonly answers: Readonly<Record<string, number>>
  /** Refusals (429, 503) without Retry-After. */
  readonly withoutRetryAfter: number
  /** 200 with a body: spans were rejected or dropped. */
  readonly partial: number
  /** Spans acknowledged during the load. */
  readonly acceptedSpans: number
  /** Acknowledged spans by key, including requests in flight at the end and requests whose connection broke. */
  readonly acknowledged: Readonly<Record<string, number>>
  /** Latencies of acknowledged requests, from the time they were due. */
  readonly p50Ms: number
  readonly p99Ms: number
}

const longestTickMs = 5
const settleTries = 200

/**
 * Sends for the given time, waits for requests in flight, then resends broken ones until they are answered, so that every parcel is either
 * acknowledged or known to be refused. Ends early if the parcels run out.
 */
export async function flood({
  baseUrl,
  parcels,
  requestsPerS,
  connections,
  durationMs,
  leastRequests = 0,
}: FloodOptions): Promise<Flooded> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const broken: Parcel[] = []
  const answers: Record<string, number> = {}
  const acknowledged: Record<string, number> = {}
  const latencies: number[] = []
  const pending = new Set<Promise<void>>()
  const cpuBefore = process.cpuUsage()
  const startedAtMs = performance.now()
  const endsAtMs = startedAtMs + durationMs
  let isOver = false
  let [due, sent, withoutRetryAfter, partial, acceptedSpans] = [0, 0, 0, 0, 0]

  function note(parcel: Parcel, { status, retryAfterS, bytes }: Posted): void {
    const name = String(status ?? 'broken')
    answers[name] = (answers[name] ?? 0) + 1
    if (status === 200) acknowledged[parcel.key] = (acknowledged[parcel.key] ?? 0) + parcel.spans
    if (status === 200 && bytes > 0) partial += 1
    if ((status === 429 || status === 503) && retryAfterS === null) withoutRetryAfter += 1
    if (status === null) broken.push(parcel)
    else if (status !== 200) parcels.push(parcel)
  }

  async function send(parcel: Parcel, dueAtMs: number): Promise<void> {
    const posted = await postSpans(agent, baseUrl, parcel.key, parcel.body)
    note(parcel, posted)
    if (posted.status !== 200) return
    latencies.push(performance.now() - dueAtMs)
    if (!isOver) acceptedSpans += parcel.spans
  }

  while ((performance.now() < endsAtMs || sent < leastRequests) && parcels.length > 0) {
    // The first request is due at once.
    const owed = 1 + Math.floor(((performance.now() - startedAtMs) / 1_000) * requestsPerS)
    for (; due < owed; due += 1) {
      if (pending.size >= connections) continue
      const parcel = parcels.shift()
      if (parcel === undefined) break
      const sending: Promise<void> = send(parcel, startedAtMs + (due / requestsPerS) * 1_000).finally(() =>
        pending.delete(sending),
      )
      pending.add(sending)
      sent += 1
    }
    // The answer's time counts from when the request was due, so the request must not be sent late.
    const dueInMs = startedAtMs + (due / requestsPerS) * 1_000 - performance.now()
    await sleep(Math.min(longestTickMs, Math.max(1, dueInMs)))
  }
  isOver = true
  const seconds = (performance.now() - startedAtMs) / 1_000
  const cpu = process.cpuUsage(cpuBefore)
  const stoppedAtMs = performance.now()
  await Promise.all(pending)
  const drainMs = performance.now() - stoppedAtMs
  const answersInTime = { ...answers }
  await settle(agent, baseUrl, broken, note)
  agent.destroy()
  latencies.sort((a, b) => a - b)
  const at = (share: number): number => latencies[Math.floor((latencies.length - 1) * share)] ?? 0
  return {
    seconds,
    drainMs,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    due,
    sent,
    answers: answersInTime,
    withoutRetryAfter,
    partial,
    acceptedSpans,
    acknowledged,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  }
}

/** Resends requests whose connection broke: they may be stored or not, and only an answer to the same request shows which. */
async function settle(
  agent: Agent,
  baseUrl: string,
  broken: Parcel[],
  note: (parcel: Parcel, posted: Posted) => void,
): Promise<void> {
  let tries = settleTries
  for (let parcel = broken.shift(); parcel !== undefined; parcel = broken.shift()) {
    let posted = await postSpans(agent, baseUrl, parcel.key, parcel.body)
    for (; posted.status !== 200 && tries > 0; tries -= 1) {
      await sleep(50)
      posted = await postSpans(agent, baseUrl, parcel.key, parcel.body)
    }
    if (posted.status !== 200) throw new Error('what broke under the load could not be sent again after it')
    note(parcel, posted)
  }
}
