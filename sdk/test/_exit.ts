// A program that ends by itself: one tool call, nothing flushed, nothing shut down. Prints when it had nothing left to do. With `late`
// it makes the call only then, when the process would end.
import { createTracewright } from '../src/tracewright.ts'

const [, , baseUrl = '', flushTimeoutMs = '5000', when = 'now'] = process.argv
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
const last = tracewright.tool('last', async (input: number) => input, { attest: true })
if (when === 'late') process.once('beforeExit', () => void last(1))
else await last(1)
process.stdout.write(`done ${Date.now()}\n`)
