// The exporters of the ingest benches, in their own process: a fixed number of requests in flight, or a fixed rate.
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerParent } from './_child.ts'
import { type Flooded, flood, type Parcel } from './_flood.ts'
import { postSpans } from './_post.ts'
import { type BatchShape, type BenchBatch, makeBatches } from './_spans.ts'

export type LoadQuestion =
  | { readonly do: 'make'; readonly batches: number; readonly shape?: Partial<BatchShape> }
  | { readonly do: 'send'; readonly baseUrl: string; readonly keys: readonly string[]; readonly inFlight: number }
  | {
      readonly do: 'flood'
      readonly baseUrl: string
      readonly keys: readonly string[]
      readonly spansPerS: number
      readonly connections: number
      readonly durationMs: number
    }

export type Made = { readonly spans: number; readonly plainBytes: number; readonly sentBytes: number }
export type Sent = {
  readonly spans: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Requests that were refused for now; each was retried until it was accepted. */
  readonly refused: number
  /** CPU of this process: the load's own share of the machine. */
  readonly cpuSeconds: number
}

let batches: BenchBatch[] = []

answerParent(async (question: LoadQuestion): Promise<Made | Sent | Flooded> => {
  if (question.do === 'make') return make(question.batches, question.shape)
  const parcels = batches.flatMap(({ body, spans }) => question.keys.map((key): Parcel => ({ key, body, spans })))
  if (question.do === 'send') return await send(question.baseUrl, parcels, question.inFlight)
  const { baseUrl, connections, durationMs } = question
  const requestsPerS = (question.spansPerS * batches.length) / sumSpans()
  return await flood({ baseUrl, parcels, requestsPerS, connections, durationMs })
})

const sumSpans = (): number => batches.reduce((sum, { spans }) => sum + spans, 0)

function make(count: number, shape?: Partial<BatchShape>): Made {
  batches = makeBatches(count, shape)
  return {
    spans: sumSpans(),
    plainBytes: batches.reduce((sum, { plainBytes }) => sum + plainBytes, 0),
    sentBytes: batches.reduce((sum, { body }) => sum + body.length, 0),
  }
}

const againMs = 50

/** Sends all parcels, each until it is accepted. Rejects on an answer that is neither a temporary refusal nor a full success. */
async function send(baseUrl: string, parcels: readonly Parcel[], inFlight: number): Promise<Sent> {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight })
  const left = parcels.values()
  const latencies: number[] = []
  let refused = 0
  const cpuBefore = process.cpuUsage()
  const startedAtMs = performance.now()
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      for (const { key, body } of left) {
        const sentAtMs = performance.now()
        let posted = await postSpans(agent, baseUrl, key, body)
        for (; posted.status === 503 || posted.status === 429; refused += 1) {
          await sleep(againMs)
          posted = await postSpans(agent, baseUrl, key, body)
        }
        const { status, bytes, said } = posted
        if (status !== 200 || bytes > 0) throw new Error(`ingest answered ${status} with ${bytes} bytes: ${said}`)
        latencies.push(performance.now() - sentAtMs)
      }
    }),
  )
  const seconds = (performance.now() - startedAtMs) / 1_000
  const cpu = process.cpuUsage(cpuBefore)
  agent.destroy()
  latencies.sort((a, b) => a - b)
  const at = (share: number): number => latencies[Math.floor((latencies.length - 1) * share)] ?? 0
  return {
    spans: parcels.reduce((sum, { spans }) => sum + spans, 0),
    seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    refused,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
  }
}
