import test from 'ava'
import { makeUuidV7 } from '../../src/base/ids.ts'
import { columnBits } from '../../src/encode/event-columns.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { openPriceBook, type PriceBook } from '../../src/pricing/price-book.ts'
import type { ContentMode } from '../../src/redact/content-mode.ts'
import { insertWorkspaceRow } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { decodeRequest } from '../_kit/decode.ts'
import { makeResourceSpans, makeSpan, randomSpanId, randomTraceId } from '../_kit/spans.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

type ResourceSpans = Parameters<typeof makeResourceSpans>[0]
type Spans = ResourceSpans['spans']

const decode = (spans: Spans, contentMode: ContentMode, workspaceId: string, prices: PriceBook) =>
  decodeRequest([makeResourceSpans({ spans })], { contentMode, workspaceId, prices })

async function ingest(spans: Spans, contentMode: ContentMode = 'redacted'): Promise<string> {
  const workspaceId = await insertWorkspaceRow(base.query)
  const decoded = decode(spans, contentMode, workspaceId, openPriceBook())
  await storeGroup(base.db, [
    { ...decoded, workspaceId, rejections: [], eventQuota: null, agentCap: null, granted: null },
  ])
  return workspaceId
}

test('a row tells whether a span of a later request may name its agent', (t) => {
  const traceId = randomTraceId()
  const [root, orphan] = [randomSpanId(), randomSpanId()]
  const { columns } = decode(
    [
      makeSpan({ traceId, parentSpanId: orphan }),
      makeSpan({ traceId, spanId: orphan, parentSpanId: randomSpanId() }),
      makeSpan({ traceId, parentSpanId: randomSpanId(), attributes: { 'gen_ai.agent.name': 'planner' } }),
      makeSpan({ traceId, parentSpanId: root }),
      makeSpan({ traceId, spanId: root }),
    ],
    'none',
    makeUuidV7(),
    openPriceBook(),
  )
  const provisional = [...columns.bits].map((bits) => (bits & columnBits.agentProvisional) !== 0)
  t.deepEqual(provisional, [true, true, false, false, false])
})

const usage = { 'gen_ai.usage.input_tokens': 1000, 'gen_ai.usage.output_tokens': 100 }

test('only model calls have tokens and cost; those on agents, chains and tools are repetitions', async (t) => {
  const traceId = randomTraceId()
  const agent = randomSpanId()
  const of = (operation: string, more: object = {}) =>
    makeSpan({
      traceId,
      attributes: { 'gen_ai.operation.name': operation, 'gen_ai.request.model': 'gpt-4o', ...usage, ...more },
    })
  const workspace = await ingest([
    makeSpan({ traceId, spanId: agent, attributes: { 'gen_ai.operation.name': 'invoke_agent', ...usage } }),
    of('chat'),
    of('execute_tool', { 'gen_ai.tool.name': 'search' }),
    of('invoke_workflow'),
  ])
  const [sums] = await base.query(
    `select count(*)::int as events, sum(input_tokens)::int as input, round(sum(cost_usd)::numeric, 6)::float8 as cost,
       count(*) filter (where kind = 'llm')::int as calls from events where workspace_id = $1`,
    [workspace],
  )
  t.deepEqual(sums, { events: 4, input: 1000, cost: 0.0035, calls: 1 })
  const [trace] = await base.query('select input_tokens::int, output_tokens::int from traces where workspace_id = $1', [
    workspace,
  ])
  t.deepEqual(trace, { input_tokens: 1000, output_tokens: 100 })
})

test('of two reports of a call, the one that is priced counts', (t) => {
  const traceId = randomTraceId()
  // Reports of one call overlap in time.
  const start = new Date()
  const report = (scope: string, model: string, more: object) =>
    makeResourceSpans({
      scope: { name: scope },
      spans: [
        makeSpan({
          traceId,
          start,
          attributes: {
            'gen_ai.operation.name': 'chat',
            'gen_ai.response.id': 'chatcmpl-9kq2mVb1Zt',
            'gen_ai.request.model': model,
            ...usage,
            ...more,
          },
        }),
      ],
    })
  // The client knows the model by the name under which a proxy offers it.
  const client = report('client', 'our-best-model', { 'gen_ai.usage.reasoning.output_tokens': 0 })
  const proxy = report('proxy', 'gpt-4o', {})
  const { columns } = decodeRequest([client, proxy], { contentMode: 'none', workspaceId: makeUuidV7() })
  t.deepEqual(
    [...columns.bits].map((bits) => (bits & columnBits.counted) !== 0),
    [false, true],
  )
})

test('each event knows its scope, its dialect, and whether its agent is known only by the name of the service', async (t) => {
  const workspaceId = await insertWorkspaceRow(base.query)
  const traceId = randomTraceId()
  const spanId = randomSpanId()
  const chat = { 'gen_ai.operation.name': 'chat' }
  const sent: readonly ResourceSpans[] = [
    {
      scope: { name: 'framework', version: '0.9' },
      spans: [
        makeSpan({ traceId, spanId, name: 'agent', attributes: { 'gen_ai.agent.name': 'agent-under-test' } }),
        makeSpan({ traceId, parentSpanId: spanId, name: 'below', attributes: chat }),
        makeSpan({ name: 'alone', attributes: chat }),
        makeSpan({ name: 'http' }),
      ],
    },
    {
      scope: { name: '', version: '' },
      resource: { 'gen_ai.main_agent.name': 'planner' },
      spans: [makeSpan({ name: 'main', attributes: chat })],
    },
  ]
  const decoded = decodeRequest(sent.map(makeResourceSpans), { contentMode: 'none', workspaceId })
  t.deepEqual(decoded.columns.scopes, [
    { name: 'framework', version: '0.9', dialect: 'opentelemetry' },
    { name: 'framework', version: '0.9', dialect: null },
    { name: null, version: null, dialect: 'opentelemetry' },
  ])
  const batch = { ...decoded, workspaceId, rejections: [], eventQuota: null, agentCap: null, granted: null }
  await storeGroup(base.db, [batch])
  t.deepEqual(
    await base.query(
      'select name, scope_name, scope_version, dialect, agent_unnamed from events where workspace_id = $1 order by 1',
      [workspaceId],
    ),
    [
      // The agent is named, though its name equals that of the service.
      ['agent', 'framework', '0.9', 'opentelemetry', false],
      ['alone', 'framework', '0.9', 'opentelemetry', true],
      ['below', 'framework', '0.9', 'opentelemetry', false],
      ['http', 'framework', '0.9', null, true],
      ['main', null, null, 'opentelemetry', null],
    ].map(([name, scope_name, scope_version, dialect, agent_unnamed]) => ({
      name,
      scope_name,
      scope_version,
      dialect,
      agent_unnamed,
    })),
  )
})

test('a call with tokens and no known price is flagged, and its cost is null', async (t) => {
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'our-own-model', ...usage }
  const workspace = await ingest([makeSpan({ attributes })])
  t.deepEqual(
    await base.query('select cost_usd, pricing_source, flags from events where workspace_id = $1', [workspace]),
    [{ cost_usd: null, pricing_source: null, flags: ['unpriced'] }],
  )
})

test('a call whose count of tokens is absurd is unpriced, not free', async (t) => {
  const call = async (model: string, input: number, output: number, more: Record<string, number> = {}) => {
    const attributes = {
      'gen_ai.operation.name': model.includes('embedding') ? 'embeddings' : 'chat',
      'gen_ai.request.model': model,
      'gen_ai.usage.input_tokens': input,
      'gen_ai.usage.output_tokens': output,
      ...more,
    }
    const workspace = await ingest([makeSpan({ attributes })])
    const [stored] = await base.query<{ cost: number | null; source: string | null; flags: string[] }>(
      'select cost_usd as cost, pricing_source as source, flags from events where workspace_id = $1',
      [workspace],
    )
    return { ...stored, flags: stored?.flags.toSorted() }
  }
  const unpriced = { cost: null, source: null, flags: ['unpriced', 'usage_invalid'] }
  t.deepEqual(await call('gpt-4o', 9_007_199_254_740_992, 0), unpriced)
  t.deepEqual(await call('gpt-4o', 9_007_199_254_740_992, 0, { 'gen_ai.usage.cost': 0 }), unpriced, "the sender's 0")
  t.deepEqual(await call('gpt-4o', 1_000, 1e15), unpriced, 'its output may cost more than its input')
  const stated = await call('gpt-4o', 1_000, 1e15, { 'gen_ai.usage.cost': 0.5 })
  t.deepEqual([stated.cost, stated.source], [0.5, 'sender'])
  const input = { cost: 0.0025, flags: ['usage_invalid'] }
  t.like(await call('gpt-4o', 1_000, -1), input, 'a sender that has no output count')
  t.like(
    await call('gpt-4o', 1_000, 1e15, { 'gen_ai.usage.completion_tokens': 0 }),
    input,
    'another name has the count',
  )
  t.like(await call('gpt-4o', 1_000, 0, { 'gen_ai.usage.reasoning.output_tokens': 1e15 }), input, 'another count')
  t.true(((await call('text-embedding-3-small', 1_000, 1e15)).cost ?? 0) > 0, 'an embedding has no output')
  t.deepEqual(await call('gpt-4o', 0, 0, { 'gen_ai.usage.cost': 0 }), { cost: null, source: null, flags: [] })
})

test("where no list knows the model, the sender's cost is the cost; where both know it, a difference of more than 5 % is flagged", async (t) => {
  const cost = async (model: string, stated: number): Promise<unknown> => {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': model,
      'gen_ai.usage.cost': stated,
      ...usage,
    }
    const workspace = await ingest([makeSpan({ attributes })])
    const [row] = await base.query<{ source: string | null; cost: number; flags: string[] }>(
      'select cost_usd as cost, provided_cost_usd as stated, pricing_source as source, flags from events where workspace_id = $1',
      [workspace],
    )
    return { ...row, source: row?.source?.split(':')[0] }
  }
  const flags = ['cost_provided']
  t.deepEqual(await cost('our-own-model', 0.5), { cost: 0.5, stated: 0.5, source: 'sender', flags })
  const ours = { cost: 0.0035, source: 'genai-prices' }
  t.deepEqual(await cost('gpt-4o', 0.0036), { ...ours, stated: 0.0036, flags })
  t.deepEqual(await cost('gpt-4o', 0.004), { ...ours, stated: 0.004, flags: ['cost_disagrees', ...flags] })
})

for (const [mode, kept] of [
  ['none', false],
  ['redacted', false],
  ['full', true],
] as const) {
  test(`content mode ${mode} ${kept ? 'keeps' : 'never lets'} a secret ${kept ? '' : 'reach '}the database`, async (t) => {
    const canary = 'sk-proj-c4n4ryc4n4ryc4n4ryc4n4ry'
    const content = JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: `the key is ${canary}` }] }])
    const workspace = await ingest(
      [
        makeSpan({
          attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': content, note: canary },
          status: { code: 2, message: `refused ${canary}` },
          events: [{ name: 'exception', attributes: { 'exception.message': `bad key ${canary}` } }],
        }),
      ],
      mode,
    )
    const { zstdDecompressSync } = await import('node:zlib')
    const blocks = await base.query<{ body: Buffer }>('select body from payload_blocks where workspace_id = $1', [
      workspace,
    ])
    const events = await base.query('select row_to_json(e)::text as line from events e where workspace_id = $1', [
      workspace,
    ])
    const everything = JSON.stringify(events) + blocks.map(({ body }) => zstdDecompressSync(body).toString()).join('')
    t.is(everything.includes(canary), kept)
    t.is(everything.includes('the key is'), mode !== 'none')
  })
}

test('a bug in one span rejects that span alone and is reported without its content', (t) => {
  const prices: PriceBook = {
    priceUsage: ({ model }) => {
      if (model === 'poison') throw new TypeError('cannot read the secret prompt')
      return { costUsd: null, cacheSavingsUsd: null, source: null }
    },
  }
  const of = (model: string) =>
    makeSpan({ attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model } })
  const decoded = decode([of('a'), of('poison'), of('b'), of('poison'), of('c')], 'redacted', makeUuidV7(), prices)
  t.is(decoded.offsets.length - 1, 3)
  t.is(decoded.offsets.at(-1), decoded.rows.length)
  t.deepEqual(decoded.rejections.counts, { undecodable_span: 2 })
  t.is(decoded.bugs.length, 2)
  t.regex(decoded.bugs[0] ?? '', /^TypeError\n {4}at /)
  t.notRegex(decoded.bugs.join(''), /secret prompt/)
})
