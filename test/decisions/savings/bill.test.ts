// From spans to the API answer: a bill that falls by $11.14 is reported as $11.14, and wrong servings are subtracted.
import test from 'ava'
import { startService, type TestService } from '../../_kit/serve.ts'
import { encodeRequest, makeSpan, type OtlpSpan, randomTraceId } from '../../_kit/spans.ts'
import { post } from '../../ingest/_http.ts'

let service: TestService
test.before(async () => {
  service = await startService()
})
test.after.always(async () => await service.stop())

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

const inWorkspace = (path: string): string => `/v1/workspaces/${service.workspaceId}/${path}`

async function propose(): Promise<string> {
  const body = { type: 'reuse_identity', tool_name: 'get_rates', input_hash: 'input' }
  const { status, json } = await service.call('POST', inWorkspace('decisions'), { body })
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

test('a bill that falls by $11.14 is reported as $11.14, beside $10.85 of held-out calls', async (t) => {
  // A decision that waits for approval is not measured; otherwise the loop of the service would write its own score.
  await service.query('update workspaces set approves_decisions = true')
  const id = await propose()
  const calls = servedCalls + heldOutCalls
  const fromMs = Date.now() - calls * 1_000
  const spans = Array.from({ length: calls }, (_, at) => makeCall(id, fromMs + at * 1_000, at < servedCalls))
  for (let at = 0; at < spans.length; at += spansAtOnce) {
    const { status, rejected } = await post(service, encodeRequest(spans.slice(at, at + spansAtOnce)))
    t.deepEqual([status, rejected], [200, 0])
  }
  const ask = async (): Promise<Savings> => (await service.call('GET', inWorkspace('stats/savings'))).json as Savings
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
