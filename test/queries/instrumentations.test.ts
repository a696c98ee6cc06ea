// Telemetry health end to end: spans of three instrumentations over OTLP, read over minutes, hours and days, before and after settling.
import test, { type ExecutionContext } from 'ava'
import { workLimits } from '../../src/rollups/open-folding.ts'
import { rebuildWorkspace } from '../../src/rollups/rebuild.ts'
import { foldScopes } from '../../src/rollups/scopes/fold-scopes.ts'
import type { Database } from '../../src/store/database.ts'
import { openTestPool } from '../_kit/db.ts'
import { startService, type TestService } from '../_kit/serve.ts'
import { settleUnhurried } from '../_kit/settle.ts'
import { encodeRequest, makeResourceSpans, makeSpan, randomSpanId, randomTraceId } from '../_kit/spans.ts'
import { post } from '../ingest/_http.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
const minuteMs = 60_000
/** Noon of a past day on which nothing else starts. */
const noonMs = Math.floor(Date.now() / dayMs) * dayMs - 2 * dayMs + dayMs / 2

let service: TestService
let db: Database
test.before(async () => {
  // The test itself settles and folds.
  service = await startService({ SETTLE_QUIET_MS: 600_000 })
  db = openTestPool(service.databaseUrl, { name: 'instrumentations', maxConnections: 2 })
})
test.after.always(async () => {
  await db.stop()
  await service.stop()
})

type Item = {
  scope_name: string | null
  scope_version: string | null
  dialect: string | null
  spans: number
  by_kind: Record<string, number>
  other_share: number
  told_twice: number
  repeated: number
  unpriced: number
  cost_disagreements: number
  cost_disagreement_usd: number
  agents_unnamed: number
  last_seen: string
}

async function read(
  tenant: { workspaceId: string; accessToken: string },
  fromMs: number,
  toMs: number,
): Promise<Item[]> {
  const query = new URLSearchParams({
    from_time: new Date(fromMs).toISOString(),
    to_time: new Date(toMs).toISOString(),
  })
  const path = `/v1/workspaces/${tenant.workspaceId}/stats/instrumentations?${query.toString()}`
  const { status, json } = await service.call('GET', path, { token: tenant.accessToken })
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`)
  return (json as { items: Item[] }).items
}

const call = (model: string, input: number, output: number): Record<string, string | number> => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': model,
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': output,
})

const client = { name: 'openai-client', version: '1.0' }
const framework = { name: 'framework', version: '0.9' }

/**
 * Three instrumentations: HTTP; a client with one call without a price and one with another cost; a framework that also reports the
 * client's third call.
 */
async function send(tenant: { key: string }): Promise<void> {
  const resource = { 'service.name': 'shop' }
  const traceId = randomTraceId()
  const agentId = randomSpanId()
  const requests = [
    makeResourceSpans({
      resource,
      scope: { name: 'http', version: '2.0' },
      spans: [0, 1, 2].map((nth) => makeSpan({ start: noonMs + nth, attributes: { 'http.request.method': 'GET' } })),
    }),
    makeResourceSpans({
      resource,
      scope: client,
      spans: [
        makeSpan({
          traceId,
          parentSpanId: agentId,
          start: noonMs + 2,
          durationMs: 90,
          attributes: call('gpt-4o', 50, 5),
        }),
        makeSpan({ start: noonMs + 3, attributes: call('house-model', 10, 5) }),
        makeSpan({ start: noonMs + 4.5, attributes: { ...call('gpt-4o', 1_000, 100), 'gen_ai.usage.cost': 0.0135 } }),
      ],
    }),
    makeResourceSpans({
      resource,
      scope: framework,
      spans: [
        makeSpan({
          traceId,
          spanId: agentId,
          start: noonMs,
          durationMs: 200,
          attributes: { 'openinference.span.kind': 'AGENT', 'agent.name': 'planner' },
        }),
        makeSpan({
          traceId,
          parentSpanId: agentId,
          start: noonMs + 1,
          durationMs: 100,
          attributes: {
            'openinference.span.kind': 'LLM',
            'llm.model_name': 'gpt-4o',
            'llm.provider': 'openai',
            'llm.token_count.prompt': 50,
            'llm.token_count.completion': 5,
          },
        }),
      ],
    }),
  ]
  for (const one of requests) {
    const { status, rejected, message } = await post({ ...service, ...tenant }, encodeRequest([one]))
    if (status !== 200 || rejected !== 0) throw new Error(`${status} ${message}`)
  }
}

const at = (ms: number): string => new Date(noonMs + ms).toISOString()

/** The reported figures of the three before the traces are settled. */
const unsettled: readonly Item[] = [
  {
    scope_name: 'http',
    scope_version: '2.0',
    dialect: null,
    spans: 3,
    by_kind: { other: 3 },
    other_share: 1,
    told_twice: 0,
    repeated: 0,
    unpriced: 0,
    cost_disagreements: 0,
    cost_disagreement_usd: 0,
    agents_unnamed: 3,
    last_seen: at(2),
  },
  {
    scope_name: 'openai-client',
    scope_version: '1.0',
    dialect: 'opentelemetry',
    spans: 3,
    by_kind: { llm: 3 },
    other_share: 0,
    told_twice: 0,
    repeated: 0,
    unpriced: 1,
    cost_disagreements: 1,
    cost_disagreement_usd: 0.01,
    agents_unnamed: 3,
    last_seen: at(4),
  },
  {
    scope_name: 'framework',
    scope_version: '0.9',
    dialect: 'openinference',
    spans: 2,
    by_kind: { agent: 1, llm: 1 },
    other_share: 0,
    told_twice: 0,
    repeated: 0,
    unpriced: 0,
    cost_disagreements: 0,
    cost_disagreement_usd: 0,
    agents_unnamed: 0,
    last_seen: at(1),
  },
]

/** Now the agent of the shared call is known, and that it is one call. */
const settled: readonly Item[] = unsettled.map((item) => {
  if (item.scope_name === 'openai-client') return { ...item, told_twice: 1, repeated: 1, agents_unnamed: 2 }
  return item.scope_name === 'framework' ? { ...item, told_twice: 1 } : item
})

/** Read from the row of the day, of the hour, of the minute, and from events where the window cuts the minute. */
const windows = {
  day: [noonMs - dayMs / 2, noonMs + dayMs / 2],
  'two days': [noonMs - dayMs / 2 - dayMs, noonMs + dayMs / 2],
  hour: [noonMs, noonMs + hourMs],
  minute: [noonMs, noonMs + minuteMs],
  'part of a minute': [noonMs, noonMs + 500],
  'all of them, cut anywhere': [noonMs - 5 * hourMs - 123, noonMs + 30 * hourMs + 4_567],
} as const

async function readAll(t: ExecutionContext, tenant: typeof service, expected: readonly Item[], when: string) {
  for (const [name, [fromMs, toMs]] of Object.entries(windows)) {
    t.deepEqual(await read(tenant, fromMs, toMs), [...expected], `${when}, ${name}`)
  }
  // Only the call without a price, without the spans before and after it.
  const [only, ...others] = await read(tenant, noonMs + 3, noonMs + 4)
  t.deepEqual(others, [])
  t.like(only, { scope_name: 'openai-client', spans: 1, unpriced: 1, cost_disagreements: 0, told_twice: 0 })
  t.deepEqual(await read(tenant, noonMs + 5, noonMs + minuteMs), [])
}

/** Repeats until nothing is left: the loop of the service may hold some of the traces. */
async function settle(): Promise<void> {
  const left = 'select from traces where not settled limit 1'
  while ((await service.query(left)).length > 0) await settleUnhurried(db, 0)
}

/** Repeats until nothing is left: the loop of the service, which runs after ten seconds, may hold the workspace. */
async function fold(workspaceId: string): Promise<void> {
  const left = 'select from scope_deltas where workspace_id = $1 limit 1'
  while ((await service.query(left, [workspaceId])).length > 0) await foldScopes(db, [workspaceId])
}

test.serial('each instrumentation is listed in every window, before and after settling, folded or not', async (t) => {
  await send(service)
  await readAll(t, service, unsettled, 'unsettled')
  await fold(service.workspaceId)
  await readAll(t, service, unsettled, 'unsettled, folded')
  await settle()
  await readAll(t, service, settled, 'settled')
  await fold(service.workspaceId)
  await readAll(t, service, settled, 'settled, folded')
  await service.query('update traces set settled = false')
  await settle()
  t.deepEqual(await service.query('select from scope_deltas'), [], 'settling again changes nothing')
  await readAll(t, service, settled, 'settled again')
})

test.serial('a rebuild of everything gives the same', async (t) => {
  const spoil = async (): Promise<unknown> =>
    await service.query('update scope_counts set spans = spans + 1, told_twice = 0, cost_disagreement_usd = 7')
  await spoil()
  t.notDeepEqual(await read(service, ...windows.day), [...settled])
  const signal = new AbortController().signal
  const limits = { ...workLimits, onDamage: () => t.fail() }
  await rebuildWorkspace(db, service.workspaceId, { limits, signal })
  await readAll(t, service, settled, 'rebuilt')
})

test.serial('another workspace has its own', async (t) => {
  const other = await service.signUp()
  t.deepEqual(await read(other, ...windows.day), [])
  await send(other)
  t.deepEqual(await read(other, ...windows.day), [...unsettled])
  t.deepEqual(await read(service, ...windows.day), [...settled])
  const path = `/v1/workspaces/${other.workspaceId}/stats/instrumentations`
  t.is((await service.call('GET', path)).status, 404)
})

test.serial('the window follows the rules of all stats', async (t) => {
  const path = `/v1/workspaces/${service.workspaceId}/stats/instrumentations`
  const get = async (query: string): Promise<number> => (await service.call('GET', `${path}?${query}`)).status
  t.is(await get(''), 200)
  t.is(await get('from_time=2026-01-02T00:00:00Z&to_time=2026-01-01T00:00:00Z'), 422)
  t.is(await get('from_time=2024-01-01T00:00:00Z&to_time=2026-01-01T00:00:00Z'), 422)
  t.is(await get('from_time=2026-01-01'), 422)
})
