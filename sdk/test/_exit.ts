// A program that ends by itself: one tool call, nothing flushed, nothing shut down. Prints when it had nothing left to do.
import { createTracewright } from '../src/tracewright.ts'

const [, , baseUrl = '', flushTimeoutMs = '5000'] = process.argv
const tracewright = createTracewright({
  baseUrl,
  apiKey: 'tw_sk_test',
  agentName: 'leaving',
  hashKey: Buffer.alloc(32, 'h'),
  encryptionKeys: { current: { keyId: 'a', key: Buffer.alloc(32, 'a') } },
  flushIntervalMs: 60_000,
  flushTimeoutMs: Number(flushTimeoutMs),
})
await tracewright.ready()
await tracewright.tool('last', async (input: number) => input, { attest: true })(1)
process.stdout.write(`done ${Date.now()}\n`)
