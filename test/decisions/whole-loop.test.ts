// The whole loop through the running service: spans in, a rule proposed, proven in shadow, served, and disabled when answers drift.
import test from 'ava'
import { startService, type TestService } from '../_kit/serve.ts'
import { encodeRequest, makeSpan, type OtlpSpan, randomTraceId } from '../_kit/spans.ts'
import { until } from '../_kit/until.ts'
import { post } from '../ingest/_http.ts'

type Decision = { id: string; type: string; state: string; shadow_samples: number; config: { tool_name: string } }
type Rule = { decision_id: string; type: string; tool_name: string }
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

/** Each in a trace of its own: a run of half a second whose result is `content`, and maybe the model call that had it in its prompt. */
function makeRun(tool: string, startMs: number, content: string, options: { input?: string; consumed?: boolean } = {}) {
  const traceId = randomTraceId()
  const callId = `call ${names.next++}`
  const run = makeSpan({
    traceId,
    start: startMs,
    durationMs: 500,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': callId,
      'tracewright.tool.input_hash': options.input ?? 'input',
      'tracewright.tool.content_hash': content,
      'tracewright.tool.attested': true,
      'tracewright.tool.claims': ['same_input', 'unread'],
      'tracewright.tool.scope_hash': 'scope',
      'tracewright.tool.ciphertext': Buffer.from(content),
      'tracewright.tool.iv': Buffer.alloc(12, 1),
      'tracewright.tool.tag': Buffer.alloc(16, 2),
      'tracewright.tool.key_id': 'key',
    },
  })
  if (options.consumed !== true) return [run]
  const consumer = makeSpan({
    traceId,
    start: startMs + 600,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'gpt-4o',
      'tracewright.consumed_tool_call_ids': [callId],
      'tracewright.read_tool_call_ids': [],
    },
  })
  return [run, consumer]
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

/** Its status. */
const fetchResult = async (id: string, inputHash: string): Promise<number> => {
  const path = `/v1/apply/tool-result?decision_id=${id}&input_hash=${inputHash}&scope_hash=scope`
  return (await service.call('GET', path, { token: service.key })).status
}

const describeTrail = async (id: string): Promise<string[]> =>
  (await read<Transition[]>(inWorkspace(`decisions/${id}/transitions`)))
    .map(({ from_state: from, to_state: to, actor }) => `${from ?? ''} ${to} ${actor}`.trim())
    .toSorted()

test.serial(
  'a tool that repeats itself is proposed, proven, served, and disabled when its answers drift',
  async (t) => {
    const nowMs = Date.now()
    await send([30, 20, 10].flatMap((ago) => makeRun('steady', nowMs - ago * minuteMs, 'same')))
    await untilState('steady', 'shadow')
    t.deepEqual(await listRules(), [])

    const trialsFromMs = Date.now()
    await send(Array.from({ length: 200 }, (_, nth) => makeRun('steady', trialsFromMs + nth * 10, 'same')).flat())
    const { id, shadow_samples: samples } = await untilState('steady', 'active')
    t.true(samples >= 30)
    t.deepEqual(
      (await listRules()).map((rule) => [rule.decision_id, rule.type, rule.tool_name]),
      [[id, 'reuse_identity', 'steady']],
    )
    await until(async () => (await fetchResult(id, 'input')) === 200)

    const driftFromMs = Date.now() + minuteMs
    await send(
      Array.from({ length: 100 }, (_, nth) => makeRun('steady', driftFromMs + nth * 1_000, `new ${nth}`)).flat(),
    )
    await untilState('steady', 'disabled')
    t.deepEqual(await listRules(), [])
    t.is(await fetchResult(id, 'input'), 404)
    t.deepEqual(await describeTrail(id), [
      'active disabled gate',
      'proposed gate',
      'proposed shadow gate',
      'shadow active gate',
    ])
    // It is not proposed again, however steady it is from now on.
    await send([3, 2, 1].flatMap((nth) => makeRun('steady', Date.now() - nth * 1_000, 'same')))
    const [sent] = await service.query<{ at: Date }>('select clock_timestamp() as at')
    await until(async () => {
      const looked = 'select from optimizer_progress where proposed_until > $1'
      return (await service.query(looked, [sent?.at])).length > 0
    })
    const [row] = await service.query<{ count: number }>('select count(*)::int as count from decisions')
    t.is(row?.count, 1)
  },
)

test.serial('a tool whose results nobody reads is proposed, proven and served for any input', async (t) => {
  const runs = (count: number, fromMs: number) =>
    Array.from({ length: count }, (_, nth) =>
      makeRun('unread', fromMs + nth * 10, `content ${nth}`, { input: `input_${nth}`, consumed: true }),
    ).flat()
  await send(runs(25, Date.now() - 10 * minuteMs))
  await untilState('unread', 'shadow')
  await send(runs(200, Date.now()))
  const { id } = await untilState('unread', 'active')
  // Not before the last run has ended by its own clock is there one that stays the newest.
  await until(async () => (await fetchResult(id, 'never_seen')) === 200)
  t.pass()
})

test.serial('metrics tell of proposals, moves, steps and lag', async (t) => {
  const text = await (await fetch(`http://127.0.0.1:${service.metricsPort}/metrics`)).text()
  for (const line of [
    'tracewright_decisions_proposed_total{type="reuse_identity"} 1',
    'tracewright_decisions_proposed_total{type="suppress_dead"} 1',
    'tracewright_decisions_moved_total{to="shadow",why="proposed"} 2',
    'tracewright_decisions_moved_total{to="active",why="pass"} 2',
    'tracewright_decisions_moved_total{to="disabled",why="fail"} 1',
  ])
    t.true(text.includes(line), line)
  t.regex(text, /tracewright_optimizer_turns_total\{result="done"\} [1-9]/)
  t.regex(text, /tracewright_optimizer_step_duration_seconds_count\{step="find"\} [1-9]/)
  t.regex(text, /tracewright_optimizer_lag_seconds \d/)
})
