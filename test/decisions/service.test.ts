// Decisions in a running service, each test in a workspace of its own: a rule that is disabled is no longer handed out; neither repeated
// deliveries nor a restart change the figures of the gate; a bill that falls by $11.14 is reported as $11.14.
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import test from 'ava'
import type { Database } from '../../src/store/database.ts'
import { openTestPool } from '../_kit/db.ts'
import { startService } from '../_kit/serve.ts'
import { encodeRequest, makeSpan, makeTraceSpans, type OtlpSpan, randomTraceId } from '../_kit/spans.ts'
import { untilWithin } from '../_kit/standstill.ts'
import { until } from '../_kit/until.ts'
import { post } from '../ingest/_http.ts'
import { fetchCurrentRules, fetchRules } from '../serving/_current-rules.ts'
import { makeCustomer, seal } from '../serving/tool-result/_sealed.ts'
import { gate, makeDecision, readShown } from './_gated.ts'

const service = await startService()
test.after.always(async () => await service.stop())

// Serial: the tests share this thread with the service.

type Rules = { version: number; rules: { decision_id: string }[] }

test.serial('a rule that a user disables is gone from the next fetch within a second', async (t) => {
  const { workspaceId, key } = await service.addWorkspace()
  const path = `/v1/workspaces/${workspaceId}/decisions`
  const made = await service.call('POST', path, { body: { type: 'reuse_identity', tool_name: 'search' } })
  const { id } = made.json as { id: string }
  const take = async (to: string): Promise<void> => {
    const { status, text } = await service.call('POST', `${path}/${id}/transitions`, {
      body: { to, force: to === 'active' },
    })
    t.is(status, 200, text)
  }
  const idsOf = ({ json }: { readonly json: unknown }): string[] =>
    (json as Rules).rules.map(({ decision_id: rule }) => rule)
  const listRules = async (): Promise<string[]> => idsOf(await fetchCurrentRules(service, key))
  const become = async (wanted: readonly string[]): Promise<void> =>
    await untilWithin(1_000, async () => {
      const answer = await fetchRules(service, key)
      return answer === null ? 'unread' : isDeepStrictEqual(idsOf(answer), wanted)
    })
  // The front holds an empty list of rules in memory first, and then the rule itself.
  t.deepEqual(await listRules(), [])
  await take('shadow')
  t.deepEqual(await listRules(), [])
  await take('active')
  await become([id])
  t.deepEqual(await listRules(), [id])
  await take('disabled')
  await become([])
  t.deepEqual(await listRules(), [])
})

const openPool = (): Database => openTestPool(service.databaseUrl, { maxConnections: 2 })

const customer = makeCustomer()
const hourMs = 3_600_000

/** Executions of the last hour, a second apart, each in its own trace. The holdout is drawn by their ids. */
function makeSpans(count: number, fromMs: number, result: string, name = result): OtlpSpan[] {
  return makeTraceSpans(count, (at) => ({
    traceId: randomTraceId(),
    spanId: createHash('sha256').update(`${name} ${at}`).digest('hex').slice(0, 16),
    start: fromMs + at * 1_000,
    attributes: seal(customer, 'search', 'a', result),
  }))
}

test.serial(
  'redelivered spans change no number, whichever spans come with them; neither does a measurement by a new process',
  async (t) => {
    const { workspaceId, query } = service
    const first = openPool()
    const subject = await makeDecision({ db: first, query }, { workspaceId })
    const fromMs = Date.now() - hourMs
    await query('update decisions set shadow_at = $2 where id = $1', [subject.decisionId, new Date(fromMs - 1_000)])
    const same = makeSpans(50, fromMs, 'same')
    const other = makeSpans(1, fromMs + 20_500, 'other')
    const look = async (db: Database) => {
      await service.settled()
      await until(async () => (await gate({ db, query }, subject, Date.now())).verdict !== 'unmeasured')
      return await readShown({ db, query }, subject)
    }
    t.is((await post(service, encodeRequest([...same, ...other]))).status, 200)
    const shown = await look(first)
    t.is(shown.state, 'shadow')
    t.true(shown.shadow_samples > 20 && (shown.score?.wrong ?? 0) >= 1)

    await post(service, encodeRequest([...same, ...other]))
    await post(service, encodeRequest([...other, ...same.slice(10, 30)]))
    t.deepEqual(await look(first), shown)
    await first.stop()

    await query(
      `update decisions set shadow_samples = 0, shadow_match_rate = null, score = null, latency_delta_ms = null, measured_at = null
     where id = $1`,
      [subject.decisionId],
    )
    await query('delete from ladders where workspace_id = $1', [workspaceId])
    const second = openPool()
    t.deepEqual(await look(second), shown)
    await post(service, encodeRequest(makeSpans(50, fromMs + 55_000, 'same', 'later')))
    t.true((await look(second)).shadow_samples > shown.shadow_samples)
    await second.stop()
  },
)

type Savings = {
  gross_usd: number
  net_usd: number
  holdout_cost_usd: number
  wrong_cost_usd: number
  served_calls: number
}

const callUsd = 0.01
const servedCalls = 1_114
const heldOutCalls = 1_085
const spansAtOnce = 500

async function propose(workspaceId: string): Promise<string> {
  const body = { type: 'reuse_identity', tool_name: 'get_rates', input_hash: 'input' }
  const { status, json } = await service.call('POST', `/v1/workspaces/${workspaceId}/decisions`, { body })
  if (status !== 201) throw new Error(`the proposal was answered with ${status}`)
  return (json as { id: string }).id
}

/** A call under the rule as the client library reports it. Only a real one costs something. */
function makeCall(decisionId: string, startMs: number, isServed: boolean): OtlpSpan {
  return makeSpan({
    traceId: randomTraceId(),
    start: startMs,
    durationMs: isServed ? 5 : 200,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'get_rates',
      'tracewright.tool.input_hash': 'input',
      'tracewright.decision_id': decisionId,
      ...(isServed
        ? { 'tracewright.tool.served': true }
        : { 'tracewright.holdout': true, 'gen_ai.usage.cost': callUsd }),
    },
  })
}

test.serial('a bill that falls by $11.14 is reported as $11.14, beside $10.85 of held-out calls', async (t) => {
  const { workspaceId, key } = await service.addWorkspace()
  // A decision that waits for approval is not measured; otherwise the loop of the service would write its own score.
  await service.query('update workspaces set approves_decisions = true where id = $1', [workspaceId])
  const id = await propose(workspaceId)
  const { baseUrl } = service
  const calls = servedCalls + heldOutCalls
  const fromMs = Date.now() - calls * 1_000
  const spans = Array.from({ length: calls }, (_, at) => makeCall(id, fromMs + at * 1_000, at < servedCalls))
  for (let at = 0; at < spans.length; at += spansAtOnce) {
    const { status, rejected } = await post({ baseUrl, key }, encodeRequest(spans.slice(at, at + spansAtOnce)))
    t.deepEqual([status, rejected], [200, 0])
  }
  const path = `/v1/workspaces/${workspaceId}/stats/savings`
  const ask = async (): Promise<Savings> => (await service.call('GET', path)).json as Savings
  const { net_usd, gross_usd, holdout_cost_usd, wrong_cost_usd, served_calls } = await ask()
  t.deepEqual(
    { net_usd, gross_usd, holdout_cost_usd, wrong_cost_usd, served_calls },
    { net_usd: 11.14, gross_usd: 11.14, holdout_cost_usd: 10.85, wrong_cost_usd: 0, served_calls: servedCalls },
  )

  // Half of the served results were wrong, and had to be fetched after all.
  await service.query(`update decisions set score = '{"wrong_share": 0.5}' where id = $1`, [id])
  const wrong = await ask()
  t.is(wrong.net_usd, 5.57)
  t.is(wrong.wrong_cost_usd, 5.57)
})
