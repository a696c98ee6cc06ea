// The whole loop through the running service: spans are ingested, a rule is proposed, proven by its history and served, and no longer
// served when the tool fails.
import test from 'ava'
import { startService, type TestService } from '../_kit/serve.ts'
import { encodeRequest, makeSpan, type OtlpSpan, randomTraceId } from '../_kit/spans.ts'
import { until } from '../_kit/until.ts'
import { post } from '../ingest/_http.ts'

type Decision = { id: string; type: string; state: string; shadow_samples: number; config: { tool_name: string } }
type Rule = {
  decision_id: string
  type: string
  tool_name: string
  inputs: string[] | null
  freshness_s: number
  proven: boolean
  activated_at: string
}
type Transition = { from_state: string | null; to_state: string; actor: string; reason: string }

let service: TestService
test.before(async () => {
  service = await startService({
    OPTIMIZER_INTERVAL_S: 1,
    OPTIMIZER_TICK_S: 1,
    OPTIMIZER_FINDINGS_S: 1,
    OPTIMIZER_SHARE_PERCENT: 100,
  })
})
test.after.always(async () => await service.stop())

const minuteMs = 60_000
const names = { next: 0 }

/** Returns a run of half a second in its own trace whose result is `content`; null: it failed. */
function makeRun(tool: string, startMs: number, content: string | null): OtlpSpan[] {
  const result =
    content === null
      ? {}
      : {
          'tracewright.tool.content_hash': content,
          'tracewright.tool.ciphertext': Buffer.from(content),
          'tracewright.tool.iv': Buffer.alloc(12, 1),
          'tracewright.tool.tag': Buffer.alloc(16, 2),
          'tracewright.tool.key_id': 'key',
        }
  const run = makeSpan({
    traceId: randomTraceId(),
    start: startMs,
    durationMs: 500,
    ...(content === null ? { status: { code: 2 } } : {}),
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': `call ${names.next++}`,
      'tracewright.tool.input_hash': 'input',
      'tracewright.tool.attested': true,
      'tracewright.tool.claims': ['same_input'],
      ...result,
    },
  })
  return [run]
}

async function send(spans: readonly OtlpSpan[]): Promise<void> {
  const { status, rejected } = await post(service, encodeRequest(spans))
  if (status !== 200 || rejected > 0) throw new Error(`status ${status}, ${rejected} rejected`)
}

const read = async <T>(path: string, token?: string): Promise<T> =>
  (await service.call('GET', path, token === undefined ? {} : { token })).json as T
const inWorkspace = (path: string): string => `/v1/workspaces/${service.workspaceId}/${path}`

const findDecision = async (tool: string): Promise<Decision | undefined> =>
  (await read<Decision[]>(inWorkspace(`decisions?tool_name=${tool}`)))[0]
const listRules = async (): Promise<Rule[]> => (await read<{ rules: Rule[] }>('/v1/apply/rules', service.key)).rules

async function untilState(tool: string, state: string): Promise<Decision> {
  let decision: Decision | undefined
  await until(async () => {
    decision = await findDecision(tool)
    return decision?.state === state
  })
  return decision as Decision
}

/** Returns the status of the answer. */
const fetchResult = async (id: string, inputHash: string): Promise<number> => {
  const path = `/v1/apply/tool-result?decision_id=${id}&input_hash=${inputHash}&scope_hash=scope`
  return (await service.call('GET', path, { token: service.key })).status
}

const describeTrail = async (id: string): Promise<string[]> =>
  (await read<Transition[]>(inWorkspace(`decisions/${id}/transitions`)))
    .map(({ from_state: from, to_state: to, actor }) => `${from ?? ''} ${to} ${actor}`.trim())
    .toSorted()

test.serial(
  'a tool that repeats itself is proposed, proven by its history, served, and served no more when it fails',
  async (t) => {
    const secondMs = 1_000
    const fromMs = Date.now() - 30 * minuteMs
    await send(Array.from({ length: 340 }, (_, nth) => makeRun('steady', fromMs + nth * 5 * secondMs, 'same')).flat())
    const { id } = await untilState('steady', 'active')
    const rules = await listRules()
    t.deepEqual(
      rules.map((rule) => [rule.decision_id, rule.type, rule.tool_name, rule.proven, rule.inputs?.length]),
      [[id, 'reuse_identity', 'steady', true, 1]],
    )
    t.is(rules[0]?.freshness_s, 10)
    t.deepEqual(await describeTrail(id), ['proposed gate', 'proposed shadow gate', 'shadow active gate'])
    // Results from minutes ago are too old; new ones are served.
    t.is(await fetchResult(id, 'input'), 404)
    await until(async () => {
      await send(makeRun('steady', Date.now() - secondMs, 'same'))
      return (await fetchResult(id, 'input')) === 200
    })
    await until(() => Date.now() - 600 > Date.parse(rules[0]?.activated_at ?? ''))
    await send(makeRun('steady', Date.now() - 600, null))
    await until(async () => (await fetchResult(id, 'input')) === 404)
    await until(async () => (await listRules())[0]?.inputs?.length === 0)
    t.is(await fetchResult(id, 'input'), 404)
    const [row] = await service.query<{ count: number }>('select count(*)::int as count from decisions')
    t.is(row?.count, 1)
  },
)

test.serial('metrics report proposals, moves, steps and lag', async (t) => {
  const text = await (await fetch(`http://127.0.0.1:${service.metricsPort}/metrics`)).text()
  for (const line of [
    'tracewright_decisions_proposed_total{type="reuse_identity"} 1',
    'tracewright_decisions_moved_total{to="shadow",why="proposed"} 1',
    'tracewright_decisions_moved_total{to="active",why="pass"} 1',
  ])
    t.true(text.includes(line), line)
  t.regex(text, /tracewright_optimizer_turns_total\{result="done"\} [1-9]/)
  t.regex(text, /tracewright_optimizer_step_duration_seconds_count\{step="find"\} [1-9]/)
  t.regex(text, /tracewright_optimizer_lag_seconds \d/)
})
