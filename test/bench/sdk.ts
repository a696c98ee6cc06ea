// node test/bench/sdk.ts: what the client library adds to a tool call that no rule covers, to one that it serves from memory, and to a call
// of a model; µs of this thread, so that other load on the machine does not count.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { canonicalText } from '../../sdk/src/canonical-json.ts'
import { makeHasher } from '../../sdk/src/keyed-hash.ts'
import { inputPrefix } from '../../sdk/src/serving/input-prefix.ts'
import { createTracewright, type Tracewright } from '../../sdk/src/tracewright.ts'
import { median, report } from './_report.ts'

const rounds = 7
const calls = 2_000
// Without this header the client takes the answer for that of a proxy, and sends again.
const protobuf = { 'content-type': 'application/x-protobuf' }

/** Starts a service that has these rules and no stored result, and accepts all spans unread. */
async function startSink(rules: readonly object[]): Promise<{ url: string; stop: () => void }> {
  const server = createServer((request, response) => {
    if (request.method === 'POST') return request.resume().once('end', () => response.writeHead(200, protobuf).end())
    if (request.url?.startsWith('/v1/apply/tool-result')) return response.writeHead(404).end()
    if (request.headers['if-none-match'] === undefined)
      return response.writeHead(200, { etag: '"0"' }).end(JSON.stringify({ rules }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const input = { query: 'weather in Oslo', limit: 10, filters: { from: '2026-01-01', tags: ['a', 'b'] } }
const answer = { city: 'Oslo', degrees: 5, sky: 'rain', wind: { speed: 4.5, from: 'north' } }
const fn = async (_input: typeof input): Promise<typeof answer> => answer

/** Measures the CPU of this thread for each call, including all later work: encrypting, encoding and sending the span. */
async function measure(client: Tracewright, work: () => Promise<unknown>): Promise<number[]> {
  const spend = async (): Promise<number> => {
    const start = process.threadCpuUsage()
    for (let nth = 0; nth < calls; nth++) {
      await work()
      // An agent also waits for other things than its tools: results are encrypted during that time.
      if (nth % 16 === 0) await new Promise((turn) => setImmediate(turn))
    }
    await client.flush()
    const { user, system } = process.threadCpuUsage(start)
    return (user + system) / calls
  }
  await spend()
  const runs: number[] = []
  for (let round = 0; round < rounds; round++) runs.push(await spend())
  return runs
}

/** Measures what the agent waits for: from the call to its result, without any later work. */
async function measureWait(client: Tracewright, work: () => Promise<unknown>): Promise<number[]> {
  const runs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const waits: number[] = []
    for (let nth = 0; nth < calls; nth++) {
      const startedAtMs = performance.now()
      await work()
      waits.push((performance.now() - startedAtMs) * 1_000)
      await new Promise((turn) => setImmediate(turn))
    }
    await client.flush()
    runs.push(median(waits))
  }
  return runs
}

const hashKey = Buffer.alloc(32, 'h')
const canonicalInput = canonicalText(input, Number.POSITIVE_INFINITY) ?? ''
const inputHash = makeHasher(hashKey).ofInput('kept', { version: null, scope: null }, canonicalInput)
const rule = {
  decision_id: randomUUID(),
  type: 'reuse_identity',
  tool_name: 'kept',
  inputs: [inputPrefix(inputHash)],
  freshness_s: 86_400,
  holdout_rate: 0,
}
const sink = await startSink([rule])
const client = createTracewright({
  baseUrl: sink.url,
  apiKey: 'tw_sk_bench',
  agentName: 'bench',
  hashKey,
  encryptionKeys: { current: { keyId: 'a', key: Buffer.alloc(32, 'a') } },
  maxQueueSpans: calls * 2,
})
await client.ready()

const prose = 'The quick brown fox jumps over the lazy dog near the river bank at dawn. '
const messages = [
  { role: 'user', content: prose.repeat(200) },
  ...Array.from({ length: 5 }, (_, at) => ({ role: 'tool', tool_call_id: `call_${at}`, content: prose.repeat(20) })),
]
const response = { choices: [{ message: { content: prose } }], usage: { prompt_tokens: 5_000, completion_tokens: 20 } }
const plain = client.tool('plain', fn)
const attested = client.tool('attested', fn, { attest: true })
const kept = client.tool('kept', fn, { attest: true })
const cases: [string, () => Promise<unknown>][] = [
  ['the tool alone', () => fn(input)],
  ['a tool that is not attested', () => plain(input)],
  ['an attested tool that no rule covers', () => attested(input)],
  ['a call that is served from memory', () => kept(input)],
  [
    'a call of a model without tool results',
    () => client.llm({ provider: 'p', model: 'm', messages: [] }, () => response),
  ],
]
const figures = []
for (const [name, work] of cases) {
  const cpu = await measure(client, work)
  const wait = await measureWait(client, work)
  figures.push({ name: `${name}: CPU`, value: median(cpu), unit: 'µs/call', runs: cpu })
  figures.push({ name: `${name}: until its result`, value: median(wait), unit: 'µs', runs: wait })
}
const evidence: number[] = []
for (let round = 0; round < rounds * 10; round++) {
  const startedAtMs = performance.now()
  client.evidence(messages, prose)
  evidence.push((performance.now() - startedAtMs) * 1_000)
}
const chars = JSON.stringify(messages).length
figures.push({ name: `evidence of a prompt of ${chars} characters`, value: median(evidence), unit: 'µs' })
const { droppedSpans, faults, servedFrom } = client.stats()
report('sdk', { calls, rounds, dropped_spans: droppedSpans, faults, served_from_memory: servedFrom.memory }, figures)
await client.shutdown()
sink.stop()
