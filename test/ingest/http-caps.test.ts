// Ingest over HTTP: quotas, agent caps and the request rate.
import test from 'ava'
import { startClock } from '../_kit/elapsed.ts'
import { inOneMonth } from '../_kit/one-month.ts'
import { startService, type TestService } from '../_kit/serve.ts'
import { encodeRequest, makeSpan, makeTraceSpans, randomSpanId, randomTraceId } from '../_kit/spans.ts'
import { until } from '../_kit/until.ts'
import { count, listDifferences, post, type Reply } from './_http.ts'

/** Of a workspace in a second; more than the other tests send. */
const maxRate = 40

let service: TestService
test.before(async () => {
  service = await startService({ DEFAULT_PLAN: 'free', INGEST_REQUESTS_PER_S: maxRate })
})
test.after.always(async () => await service.stop())

// Serial: the tests share this thread with the service, and those that strain it would starve the others.

const quota = 50_000

/** Makes a tenant who has used all but `left` of the month's quota. */
async function makeTenant(left: number) {
  const tenant = await service.signUp()
  await service.query(
    `insert into usage_months (workspace_id, month, accepted) values ($1, date_trunc('month', now() at time zone 'UTC')::date, $2)`,
    [tenant.workspaceId, quota - left],
  )
  const month = async () => {
    const [row] = await service.query<{ accepted: number; quota: number; agents: number }>(
      `select accepted::int, dropped_quota::int as quota, dropped_agent_cap::int as agents from usage_months where workspace_id = $1`,
      [tenant.workspaceId],
    )
    return row
  }
  return { ...tenant, month, counts: async () => await count(service.query, tenant.workspaceId) }
}

test.serial(
  'spans over the quota are dropped with a warning, not refused',
  inOneMonth(async (t) => {
    const tenant = await makeTenant(30)
    const reply = await post(service, encodeRequest(makeTraceSpans(100)), { key: tenant.key })
    t.is(reply.status, 200)
    t.is(reply.rejected, 0)
    t.regex(reply.message, /70 spans were dropped.*quota/)
    t.is((await tenant.counts()).events, 30)
    t.deepEqual(await tenant.month(), { accepted: quota, quota: 70, agents: 0 })
  }),
)

test.serial(
  'at the edge of the quota, many senders at once get exactly what is left',
  inOneMonth(async (t) => {
    const tenant = await makeTenant(130)
    const replies = await Promise.all(
      Array.from(
        { length: 20 },
        async () => await post(service, encodeRequest(makeTraceSpans(10)), { key: tenant.key }),
      ),
    )
    t.true(replies.every(({ status, rejected }) => status === 200 && rejected === 0))
    t.is((await tenant.counts()).events, 130)
    t.deepEqual(await tenant.month(), { accepted: quota, quota: 70, agents: 0 })
  }),
)

test.serial(
  'a batch sent again after the quota is used up is duplicates, and uses up nothing',
  inOneMonth(async (t) => {
    const tenant = await makeTenant(20)
    const body = encodeRequest(makeTraceSpans(20))
    await post(service, body, { key: tenant.key })
    const again = await post(service, body, { key: tenant.key })
    t.is(again.status, 200)
    t.is((await tenant.counts()).events, 20)
    t.is((await tenant.month())?.accepted, quota)
  }),
)

test.serial(
  'agents over the cap are dropped with a warning, those that are known are taken',
  inOneMonth(async (t) => {
    const tenant = await makeTenant(quota)
    const named = (name: string) => makeSpan({ attributes: { 'gen_ai.agent.name': name } })
    const first = await post(service, encodeRequest(Array.from({ length: 200 }, (_, at) => named(`agent-${at}`))), {
      key: tenant.key,
    })
    t.is(first.status, 200)
    t.is(first.rejected, 0)
    t.regex(first.message, /195 spans were dropped.*agent cap/)
    const counts = await tenant.counts()
    t.is(counts.events, 5)
    t.deepEqual(listDifferences(counts), [])
    const [known] = await service.query<{ name: string }>('select name from agents where workspace_id = $1 limit 1', [
      tenant.workspaceId,
    ])
    const second = await post(service, encodeRequest([named(known?.name ?? ''), named('agent-new')]), {
      key: tenant.key,
    })
    t.regex(second.message, /1 spans? w(as|ere) dropped/)
    t.is((await tenant.counts()).events, 6)
    t.is((await tenant.month())?.agents, 196)
  }),
)

test.serial(
  'a trace whose root arrives after its children is stored completely, and its agent is counted',
  inOneMonth(async (t) => {
    const tenant = await makeTenant(quota)
    const send = async (spans: Parameters<typeof encodeRequest>[0]) =>
      await post(service, encodeRequest(spans), { key: tenant.key })
    const named = (name: string, ids: { traceId: string; spanId: string }) =>
      makeSpan({ ...ids, attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name } })
    const newIds = () => ({ traceId: randomTraceId(), spanId: randomSpanId() })
    await send(Array.from({ length: 4 }, (_, at) => named(`agent-${at}`, newIds())))
    const ids = newIds()
    const children = [1, 2, 3].map(() => makeSpan({ traceId: ids.traceId, parentSpanId: ids.spanId }))
    for (const spans of [children, [named('agent-4', ids)]]) t.like(await send(spans), { status: 200, message: '' })
    const listNames = async (): Promise<string[]> =>
      (
        await service.query<{ name: string }>('select name from agents where workspace_id = $1 order by name', [
          tenant.workspaceId,
        ])
      ).map(({ name }) => name)
    await until(async () => !(await listNames()).includes('agent-under-test'))
    t.deepEqual(await listNames(), ['agent-0', 'agent-1', 'agent-2', 'agent-3', 'agent-4'])
    t.regex((await send([named('agent-5', newIds())])).message, /1 spans were dropped/)
    const usage = await service.call('GET', `/v1/workspaces/${tenant.workspaceId}/usage`, { token: tenant.accessToken })
    t.like(usage.json, { agents: 5, agent_cap: 5, dropped_events_agent_cap: 1 })
    t.deepEqual(listDifferences(await tenant.counts()), [])
  }),
)

test.serial('over the request rate is 429 with Retry-After, and nothing is stored', async (t) => {
  const { key, counts } = await makeTenant(quota)
  const replies: Reply[] = []
  const listRefused = (): Reply[] => replies.filter(({ status }) => status === 429)
  const elapsedMs = startClock()
  // On a machine that stands still, requests that were sent at once may arrive over several seconds.
  while (listRefused().length === 0) {
    const send = async (): Promise<Reply> => await post(service, encodeRequest([makeSpan()]), { key })
    replies.push(...(await Promise.all(Array.from({ length: 2 * maxRate }, send))))
  }
  const seconds = Math.floor(elapsedMs() / 1_000) + 1
  const refused = listRefused()
  t.true(replies.length - refused.length <= maxRate * seconds, `${replies.length - refused.length} in ${seconds} s`)
  for (const reply of refused) {
    t.is(reply.code, 8)
    t.true(Number(reply.headers.get('retry-after')) >= 1)
  }
  t.is((await counts()).events, replies.length - refused.length)
})
