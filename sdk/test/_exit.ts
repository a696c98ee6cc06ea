// A program that ends by itself: one tool call, nothing flushed, nothing shut down. It makes the call when its standard input ends; with
// `late` only when the process would end. Prints for how many ms it lingered when it had nothing left to do, without standstills.
import { once } from 'node:events'
import { watchStandstill } from '../../test/_kit/standstill.ts'
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
await once(process.stdin.resume(), 'end')
const last = tracewright.tool('last', async (input: number) => input, { attest: true })
if (when === 'late') process.once('beforeExit', () => void last(1))
else await last(1)
const doneAtMs = performance.now()
const standstill = watchStandstill()
process.once('exit', () => process.stdout.write(`lingered ${performance.now() - doneAtMs - standstill.stop()} ms\n`))
