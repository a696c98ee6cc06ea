// Requests as instrumented agents send them: model and tool calls with some 25 attributes and 1.4 kB each, gzipped.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type AttributeInput, encodeRequest, makeSpan, randomSpanId, randomTraceId } from '../_kit/spans.ts'

type Attributes = Readonly<Record<string, AttributeInput>>

export const spansInBatch = 512
export const spansInTrace = 16
const agents = 8
const models = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-20250514', 'gemini-2.5-pro']
const plainWords =
  'search the catalogue for parts that fit this order and answer with price stock and delivery date please'.split(' ')
// Words that the scan for secrets has to check twice: digits, dates, prices, page addresses, and words that only mention a secret.
const busyWords = [
  ...plainWords,
  ...'check the token count of each key account before 2026-11-20 and compare'.split(' '),
  'order 48213',
  '€ 129.90',
  'version 2.14.1',
  'at 14:35',
  'https://shop.example.com/items/4711?page=2',
  'the password policy',
]

/** Returns a text of `count` words that compresses as prose does and differs for each seed; every second text contains busy words. */
function prose(seed: number, count: number): string {
  const words = seed % 2 === 0 ? plainWords : busyWords
  const digest = createHash('sha256').update(String(seed)).digest()
  return Array.from({ length: count }, (_, at) => words[((digest[at % 32] ?? 0) + at) % words.length]).join(' ')
}

/** Share of the spans whose content holds something that the mode `redacted` removes. */
export const secretShare = 0.05
const secrets = [
  (seed: number) => `write to customer.${seed}@example.org`,
  () => 'charge the card 4111 1111 1111 1111',
  (seed: number) => `send authorization: Bearer ${createHash('sha256').update(`s${seed}`).digest('base64url')}`,
]

/** The text of a person or a program: prose, with a secret in every twentieth span. */
const content = (seed: number, count: number): string =>
  (seed + 7) % (1 / secretShare) === 0
    ? `${prose(seed, count - 6)} ${secrets[seed % secrets.length]?.(seed)} ${prose(seed + 3, 3)}`
    : prose(seed, count)

const shared = (seed: number): Attributes => ({
  'gen_ai.agent.name': `agent-${seed % agents}`,
  'gen_ai.agent.id': `asst_${seed % agents}`,
  'gen_ai.conversation.id': `conversation-${seed >> 5}`,
  'user.id': `user-${seed % 97}`,
  'server.address': 'api.example.com',
  'server.port': 443,
  'thread.id': seed % 16,
  'code.function': 'handle_order',
  'code.namespace': 'orders.agent',
  'deployment.environment': 'production',
  'app.request.id': createHash('sha256').update(`r${seed}`).digest('hex').slice(0, 32),
})

const llm = (seed: number): Attributes => ({
  ...shared(seed),
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': models[seed % models.length] ?? '',
  'gen_ai.response.model': models[seed % models.length] ?? '',
  'gen_ai.response.id': `chatcmpl-${seed}`,
  'gen_ai.request.temperature': 0.7,
  'gen_ai.request.max_tokens': 1_024,
  'gen_ai.usage.input_tokens': 900 + (seed % 400),
  'gen_ai.usage.output_tokens': 80 + (seed % 90),
  'gen_ai.usage.cached_tokens': 256,
  'gen_ai.response.finish_reasons': ['stop'],
  'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: content(seed, 38) }] }]),
  'gen_ai.output.messages': JSON.stringify([
    { role: 'assistant', parts: [{ type: 'text', content: prose(seed + 1, 24) }] },
  ]),
})

const tool = (seed: number): Attributes => ({
  ...shared(seed),
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': `tool_${seed % 12}`,
  'gen_ai.tool.type': 'function',
  'gen_ai.tool.call.id': `call_${seed}`,
  'gen_ai.tool.description': 'Looks up what the warehouse has',
  'gen_ai.tool.call.arguments': JSON.stringify({ query: content(seed, 20), limit: 20, page: seed % 5 }),
  'gen_ai.tool.call.result': JSON.stringify({ items: [prose(seed + 2, 34)], total: seed % 100 }),
  'http.response.status_code': 200,
  'app.retry': 0,
  'app.cache': false,
  'app.region': 'eu-central-1',
  'app.tier': 'standard',
  'app.build': '2026.11.20',
})

export type BenchBatch = { readonly body: Buffer; readonly spans: number; readonly plainBytes: number }

export type BatchShape = {
  /** Spans of a request, in complete traces. */
  readonly spansInBatch: number
  /** Start of the first span, and the interval between the starts of spans. */
  readonly startMs: number
  readonly stepMs: number
}

/** Returns `count` requests, all different: of 512 spans by default, starting an hour ago. */
export function makeBatches(count: number, shape: Partial<BatchShape> = {}): BenchBatch[] {
  const { spansInBatch: size = spansInBatch, startMs = Date.now() - 3_600_000, stepMs = 3 } = shape
  return Array.from({ length: count }, (_, batchNo) => {
    let traceId = ''
    let rootId = ''
    const spans = Array.from({ length: size }, (_, at) => {
      const seed = batchNo * size + at
      const isRoot = at % spansInTrace === 0
      if (isRoot) [traceId, rootId] = [randomTraceId(), randomSpanId()]
      return makeSpan({
        traceId,
        ...(isRoot ? { spanId: rootId } : { parentSpanId: rootId }),
        name: seed % 3 === 0 ? `execute_tool tool_${seed % 12}` : 'chat gpt-4o',
        start: startMs + seed * stepMs,
        durationMs: 200 + (seed % 800),
        attributes: seed % 3 === 0 ? tool(seed) : llm(seed),
      })
    })
    const plain = encodeRequest(spans)
    return { body: gzipSync(plain), spans: size, plainBytes: plain.length }
  })
}
