// A single process with the default settings, its status page, which shows what it knows about itself, and its readiness without a database.
import { randomBytes } from 'node:crypto'
import test from 'ava'
import { readConfig } from '../../src/config.ts'
import { makeDatabase } from '../_kit/db.ts'
import { toEnvironment } from '../_kit/environment.ts'
import { openRelay } from '../_kit/relay.ts'
import { startService, type TestService } from '../_kit/serve.ts'
import { signUp } from '../_kit/sign-up.ts'
import { encodeRequest, makeTraceSpans } from '../_kit/spans.ts'
import { startAll } from '../_kit/start-all.ts'
import { until } from '../_kit/until.ts'
import { post, postOnce } from '../ingest/_http.ts'
import { keepLines } from './_log.ts'

let service: TestService
test.before(async () => {
  service = await startService()
})
test.after.always(() => service.stop())

test('a batch of real OTLP/JSON shows up in the summary, the traces, the agents and the usage', async (t) => {
  const start = BigInt(Date.now()) * 1_000_000n
  const span = {
    traceId: '5b8efff798038103d269b633813fc60c',
    spanId: 'eee19b7ec3c1b174',
    name: 'chat gpt-4o',
    kind: 3,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + 1_200_000_000n),
    attributes: [
      { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
      { key: 'gen_ai.provider.name', value: { stringValue: 'openai' } },
      { key: 'gen_ai.request.model', value: { stringValue: 'gpt-4o' } },
      { key: 'gen_ai.usage.input_tokens', value: { intValue: '1000' } },
      { key: 'gen_ai.usage.output_tokens', value: { intValue: '200' } },
    ],
  }
  const body = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }
  const sent = await service.call('POST', '/v1/otlp/v1/traces', { token: service.key, body })
  t.deepEqual([sent.status, sent.json], [200, {}])
  await service.settled()
  const at = `/v1/workspaces/${service.workspaceId}`
  t.like((await service.call('GET', `${at}/stats/summary`)).json, {
    total_events: 1,
    llm_calls: 1,
    input_tokens: 1000,
    p50_duration_ms: 1200,
  })
  t.like((await service.call('GET', `${at}/traces`)).json, {
    items: [{ name: 'chat gpt-4o', settled: true, models: ['gpt-4o'] }],
  })
  t.like((await service.call('GET', `${at}/agents`)).json, [{ name: 'unknown', status: 'active' }])
  t.like((await service.call('GET', `${at}/usage`)).json, { accepted_events: 1, quota_exceeded: false })
})

type Page = {
  readonly roles: string
  readonly pid: number
  readonly front: { readonly routes_known: number; readonly breakers_open: number }
  readonly actor: { readonly fence: string | null; readonly orphans: number; readonly owned: [number, number][] }
}

test('a single process reports that it owns every partition once, and a route to each', async (t) => {
  let page: Page | null = null
  // It is fenced for a moment after the machine stood still.
  await until(async () => {
    const response = await fetch(`http://127.0.0.1:${service.metricsPort}/status`)
    t.is(response.headers.get('content-type'), 'application/json; charset=utf-8')
    page = (await response.json()) as Page
    return page.actor.fence === null && page.front.routes_known === 128
  })
  const { roles, pid, front, actor } = page as unknown as Page
  t.is(roles, 'all')
  t.is(pid, process.pid)
  t.is(front.routes_known, 128)
  t.is(front.breakers_open, 0)
  t.is(actor.fence, null)
  t.is(actor.orphans, 0)
  t.deepEqual(
    actor.owned.map(([partition]) => partition).sort((a, b) => a - b),
    Array.from({ length: 128 }, (_, partition) => partition),
  )
  t.true(actor.owned.every(([, epoch]) => epoch >= 1))
})

test('it contains no customer data, and the port has no other page', async (t) => {
  const text = await (await fetch(`http://127.0.0.1:${service.metricsPort}/status`)).text()
  for (const secret of [service.workspaceId, service.email, service.key]) t.false(text.includes(secret))
  t.is((await fetch(`http://127.0.0.1:${service.metricsPort}/`)).status, 404)
  t.is((await fetch(`http://127.0.0.1:${service.metricsPort}/status`, { method: 'POST' })).status, 404)
})

test('without the database it is not ready and refuses batches for a stated time; with the database it is ready again', async (t) => {
  const database = await makeDatabase()
  const relay = await openRelay(Number(new URL(database.url).port))
  t.teardown(database.stop)
  t.teardown(relay.stop)
  const throughRelay = (url: string): string => Object.assign(new URL(url), { port: relay.port }).href
  const config = readConfig(
    toEnvironment({
      PORT: 0,
      METRICS_PORT: 0,
      AUTH_RATE_LIMITS: 'off',
      PASSWORD_HASH_MEMORY_MIB: 19,
      DECODE_THREADS: 1,
      DATABASE_URL: throughRelay(database.urls.service),
      MIGRATE_DATABASE_URL: throughRelay(database.url),
      SECRET: randomBytes(32).toString('base64url'),
    }),
  )
  const running = await startAll(config, keepLines().log, (reason) => t.fail(reason))
  t.teardown(running.stop)
  const baseUrl = `http://127.0.0.1:${running.port}`
  const { key } = await signUp(baseUrl)
  const readReady = async (): Promise<readonly [status: number, health: unknown]> => {
    const response = await fetch(`${baseUrl}/v1/health/ready`)
    return [response.status, await response.json()]
  }
  const untilReady = async (expected: number): Promise<unknown> => {
    let health: unknown
    await until(async () => {
      const [status, json] = await readReady()
      health = json
      return status === expected
    })
    return health
  }
  const batch = encodeRequest(makeTraceSpans(1))
  t.deepEqual(await untilReady(200), { status: 'ok', checks: { database: 'ok', serving: 'ok' } })
  t.is((await post({ baseUrl, key }, batch)).status, 200)

  relay.set('cut')
  t.deepEqual(await untilReady(503), { status: 'unavailable', checks: { database: 'failed', serving: 'ok' } })
  const { status, headers } = await postOnce({ baseUrl, key }, batch)
  t.is(status, 503)
  t.regex(headers.get('retry-after') ?? '', /^[1-9]\d*$/)

  relay.set('open')
  t.deepEqual(await untilReady(200), { status: 'ok', checks: { database: 'ok', serving: 'ok' } })
  t.is((await post({ baseUrl, key }, batch)).status, 200)
})
