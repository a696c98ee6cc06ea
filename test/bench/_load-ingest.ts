// The exporter of the ingest bench, in a process of its own: a fixed number of requests in flight over kept connections.
import { Agent, request } from 'node:http'
import { answerParent } from './_child.ts'
import { type BenchBatch, makeBatches } from './_spans.ts'

export type LoadQuestion =
  | { readonly do: 'make'; readonly batches: number }
  | { readonly do: 'send'; readonly baseUrl: string; readonly key: string; readonly inFlight: number }

export type Made = { readonly spans: number; readonly plainBytes: number; readonly sentBytes: number }
export type Sent = { readonly spans: number; readonly seconds: number; readonly p50Ms: number; readonly p99Ms: number }

let batches: BenchBatch[] = []

answerParent(async (question: LoadQuestion) => {
  if (question.do === 'send') return await send(question.baseUrl, question.key, question.inFlight)
  batches = makeBatches(question.batches)
  return {
    spans: batches.reduce((sum, { spans }) => sum + spans, 0),
    plainBytes: batches.reduce((sum, { plainBytes }) => sum + plainBytes, 0),
    sentBytes: batches.reduce((sum, { body }) => sum + body.length, 0),
  } satisfies Made
})

async function send(baseUrl: string, key: string, inFlight: number): Promise<Sent> {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight })
  const left = [...batches]
  const latencies: number[] = []
  const startedAtMs = performance.now()
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      for (let batch = left.shift(); batch !== undefined; batch = left.shift()) {
        const sentAtMs = performance.now()
        await post(agent, baseUrl, key, batch.body)
        latencies.push(performance.now() - sentAtMs)
      }
    }),
  )
  const seconds = (performance.now() - startedAtMs) / 1_000
  agent.destroy()
  latencies.sort((a, b) => a - b)
  const at = (share: number): number =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
  return { spans: batches.reduce((sum, { spans }) => sum + spans, 0), seconds, p50Ms: at(0.5), p99Ms: at(0.99) }
}

/** Resolves on a full success alone: 200 without a body. */
function post(agent: Agent, baseUrl: string, key: string, body: Buffer): Promise<void> {
  return new Promise((done, fail) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/x-protobuf',
      'content-encoding': 'gzip',
      'content-length': body.length,
    }
    const call = request(`${baseUrl}/v1/otlp/v1/traces`, { method: 'POST', agent, headers }, (response) => {
      let bytes = 0
      response.on('data', (data: Buffer) => (bytes += data.length))
      response.on('end', () => {
        if (response.statusCode === 200 && bytes === 0) done()
        else fail(new Error(`ingest answered ${response.statusCode} with ${bytes} bytes`))
      })
    })
    call.on('error', fail)
    call.end(body)
  })
}
