// A rule whose served calls take longer than the tool: a service 1.2 s away, tools that take 0.6 s. Without the delay a served call took
// 0.3 s on a machine with five times as much work as it has cores.
import { setTimeout as wait } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { until } from '../../_kit/until.ts'
import { type Decision, minuteMs, openScene, type Scene, sixDays } from './_scene.ts'
import { openSlowLookups, type SlowLookups } from './_slow-lookups.ts'

const toolMs = 600
const delayMs = 1_200
// Some calls of a round may run for real.
const maxRounds = 50
const roundsAfterwards = 3
// The minimum of served calls from which a time is known.
const timedCalls = 50
const agentName = 'support'
// Distinct inputs may be called at once: equal ones would share one look-up.
const inputs = Array.from({ length: 17 }, (_, at) => ({ order: at }))
type Input = (typeof inputs)[number]
const resultOf = ({ order }: Input) => ({ order, isShipped: order % 2 === 0 })

let scene: Scene
let far: SlowLookups
test.before(async () => {
  scene = await openScene()
  far = await openSlowLookups(scene.service.baseUrl, delayMs)
})
test.after.always(async () => {
  await far.stop()
  await scene.stop()
})

/** Opens a tool with a rule that six days of its executions, of `pastMs` each, have proven, and a client of it. */
async function openTool(
  t: ExecutionContext,
  name: string,
  { baseUrl, costUsd, pastMs = toolMs }: { baseUrl: string; costUsd?: number; pastMs?: number },
) {
  const price = costUsd === undefined ? {} : { costUsd }
  const past = sixDays(inputs, (input) => resultOf(input as Input), 50 * minuteMs)
  await scene.remember(
    { name, agentName, ...price },
    past.map((call) => ({ ...call, durationMs: pastMs })),
  )
  const { id } = await scene.untilState(name, 'active')
  const client = scene.openClient(t, { agentName, baseUrl, maxMemoryBytes: 0 })
  let ran = 0
  const call = client.tool(
    name,
    async (input: Input) => {
      ran += 1
      await wait(toolMs)
      return resultOf(input)
    },
    { attest: true, ...price },
  )
  await scene.untilRules(client)
  return { id, client, call, ran: () => ran }
}

type OpenTool = Awaited<ReturnType<typeof openTool>>

async function callAll({ call }: OpenTool, atOnce: number): Promise<void> {
  for (let at = 0; at < inputs.length; at += atOnce)
    await Promise.all(inputs.slice(at, at + atOnce).map(async (input) => await call(input)))
}

/**
 * Calls until as many calls are served as the gate needs to know how long they take. A look-up that takes longer than agents wait is
 * answered as if there were no result, and the call runs for real. So does a call in progress when the gate disables the rule.
 */
async function serveAll(t: ExecutionContext, tool: OpenTool, atOnce: number): Promise<void> {
  for (let round = 0; tool.client.stats().served < timedCalls && round < maxRounds; round += 1)
    await callAll(tool, atOnce)
  const { served, servedFrom, missed } = tool.client.stats()
  t.true(served >= timedCalls, `${served} served`)
  t.is(servedFrom.fetched, served)
  // The last three are those of a machine that stalled.
  const { refused = 0, stale = 0, deadline = 0, unreachable = 0, paused = 0, ...others } = missed
  t.deepEqual([refused + stale + deadline + unreachable + paused, others], [tool.ran(), {}])
}

/** The time by the clock of the database. */
const readNow = async (): Promise<string | undefined> =>
  (await scene.service.query<{ at: string }>('select clock_timestamp()::text as at'))[0]?.at

/** Returns the decision after a measurement that began when all served calls were stored. */
async function untilLookedAt({ id, client }: OpenTool): Promise<Decision> {
  const { query } = scene.service
  const { served } = client.stats()
  const areStored = 'select from events where decision_id = $1 and served having count(*) = $2'
  await until(async () => (await query(areStored, [id, served])).length === 1)
  // The first of the next two measurements may have begun earlier.
  for (let look = 0; look < 2; look += 1) {
    const now = await readNow()
    const isMeasured = "select from decisions where id = $1 and (measured_at > $2 or state = 'disabled')"
    await until(async () => (await query(isMeasured, [id, now])).length === 1)
  }
  return await readDecision(id)
}

const path = (): string => `/v1/workspaces/${scene.service.workspaceId}/decisions`

const readDecision = async (id: string): Promise<Decision> =>
  (await scene.service.call('GET', `${path()}/${id}`)).json as Decision

/** Resolves when the loop has looked for proposals since this many real calls were stored. */
async function untilWeighed({ id }: OpenTool, ran: number): Promise<void> {
  const { query } = scene.service
  const areStored = `select from decisions d join events e
    on e.workspace_id = d.workspace_id and e.tool_name = d.tool_name and not e.served and e.start_time > d.disabled_at
    where d.id = $1 having count(*) >= $2`
  await until(async () => (await query(areStored, [id, ran])).length === 1)
  const now = await readNow()
  const isWeighed = 'select from optimizer_progress where workspace_id = $1 and proposed_until > $2'
  await until(async () => (await query(isWeighed, [scene.service.workspaceId, now])).length === 1)
}

type Transition = { readonly to_state: string; readonly actor: string; readonly reason: string | null }
const readTrail = async (id: string): Promise<Transition[]> =>
  (await scene.service.call('GET', `${path()}/${id}/transitions`)).json as Transition[]

test.serial('the control: without the delay the rule stays active', async (t) => {
  // On a busy machine, half of the look-ups may take longer than `toolMs`, but hardly as long as this.
  const pastMs = 10 * toolMs
  const near = await openTool(t, 'find_order', { baseUrl: scene.service.baseUrl, pastMs })
  await serveAll(t, near, 1)
  const decision = await untilLookedAt(near)
  t.log(`latency delta ${decision.latency_delta_ms} ms`)
  t.is(decision.state, 'active')
  // With the delay it would be active too, since its tool takes longer than the delay: what differs is the time of a served call.
  const servedMs = (decision.latency_delta_ms ?? Infinity) + pastMs
  t.true(servedMs < delayMs, `a served call took ${servedMs} ms`)
})

test.serial('a rule that makes calls slower and saves no money is disabled, and its tool runs again', async (t) => {
  const slow = await openTool(t, 'get_order', far)
  await serveAll(t, slow, inputs.length)
  const { id, latency_delta_ms: deltaMs } = await scene.untilState('get_order', 'disabled')
  t.is(id, slow.id)
  t.log(`latency delta ${deltaMs} ms`)
  t.true((deltaMs ?? 0) >= delayMs - toolMs)
  const last = (await readTrail(id)).at(-1)
  t.like(last, { to_state: 'disabled', actor: 'gate' })
  t.regex(
    last?.reason ?? '',
    /^the rule makes calls slower and saves no money: the median served call takes \d+(\.\d+)? ms longer than the tool$/,
  )

  // Only the rule of the control is left.
  await until(() => slow.client.stats().rules === 1)
  const [before, { served, missed }] = [slow.ran(), slow.client.stats()]
  for (let round = 0; round < roundsAfterwards; round += 1) await callAll(slow, inputs.length)
  const ran = slow.ran() - before
  t.is(ran, roundsAfterwards * inputs.length)
  t.like(slow.client.stats(), { served, missed })
  await untilWeighed(slow, ran)
  t.deepEqual(
    (await scene.listDecisions('get_order')).map(({ state }) => state),
    ['disabled'],
  )
})

test.serial('a rule that makes calls slower and saves money stays active, and says both', async (t) => {
  const priced = await openTool(t, 'price_order', { baseUrl: far.baseUrl, costUsd: 0.01 })
  await serveAll(t, priced, inputs.length)
  const decision = await untilLookedAt(priced)
  t.like(decision, { state: 'active', cost_delta_usd: -0.01 })
  t.true((decision.latency_delta_ms ?? 0) >= delayMs - toolMs)
})
