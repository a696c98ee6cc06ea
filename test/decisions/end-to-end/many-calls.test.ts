// The weight of many calls: a loop within one session, and cheap inputs beside an expensive tool.
import test from 'ava'
import { until } from '../../_kit/until.ts'
import { type Decision, minuteMs, openScene, type Scene } from './_scene.ts'

let scene: Scene
test.before(async () => {
  scene = await openScene()
})
test.after.always(async () => await scene.stop())

const input = { path: 'README.md' }
const loopCalls = 600

/** Sends a loop within one session that ended a minute ago. */
async function rememberLoop(toolName: string, lastingMs: number): Promise<void> {
  const startMs = Date.now() - minuteMs - lastingMs
  const calls = Array.from({ length: loopCalls }, (_, nth) => ({
    input,
    result: 'text',
    startMs: startMs + (nth * lastingMs) / loopCalls,
    durationMs: 1,
    sessionId: 'one session',
  }))
  await scene.remember({ name: toolName, agentName: 'coder', costUsd: 0.01 }, calls)
}

/** Returns the decision once the whole loop is measured. */
async function untilMeasured(toolName: string): Promise<Decision> {
  let found: Decision | undefined
  await until(async () => {
    found = (await scene.listDecisions(toolName))[0]
    return Number(found?.score?.['trials'] ?? 0) > loopCalls / 2
  })
  return found as Decision
}

test('a loop of half an hour in one session proves a rule by its periods; the same calls in five seconds prove nothing', async (t) => {
  await rememberLoop('read_file', 30 * minuteMs)
  const { score } = await scene.untilState('read_file', 'active')
  t.like(score, { proven: true, wrong: 0, freshness_s: 10 })
  t.true(Number(score?.['blocks']) > 80, `${String(score?.['blocks'])} blocks`)

  await rememberLoop('read_page', 5_000)
  const burst = await untilMeasured('read_page')
  t.is(burst.state, 'shadow')
  t.like(burst.score, { proven: false, wrong: 0 })
  t.true(Number(burst.score?.['blocks']) <= 2, `${String(burst.score?.['blocks'])} blocks`)
})

test('130 cheap inputs count as one rule, and an expensive tool beside them is proposed', async (t) => {
  const startMs = Date.now() - 20 * minuteMs
  const cheap = Array.from({ length: 130 * 4 }, (_, nth) => ({
    input: { key: nth % 130 },
    result: 'value',
    startMs: startMs + nth * 1_000,
  }))
  await scene.remember({ name: 'get_key', agentName: 'coder', costUsd: 0.002 }, cheap)
  const dear = Array.from({ length: 400 }, (_, nth) => ({ input, result: 'report', startMs: startMs + nth * 2_500 }))
  await scene.remember({ name: 'get_report', agentName: 'coder', costUsd: 0.5 }, dear)
  await until(async () => (await scene.listDecisions('get_report')).length === 1)
  await until(async () => (await scene.listDecisions('get_key')).length > 0)
  t.is((await scene.listDecisions('get_key')).length, 1)
})
