// A held-out call that contradicts a rule takes effect in every process, without waiting for the next turn of the optimization loop.
import test, { type ExecutionContext } from 'ava'
import pg from 'pg'
import { makeAttributes, type OtlpSpan } from '../../_kit/spans.ts'
import { until } from '../../_kit/until.ts'
import { countLooks, countMeasurements, minuteMs, openScene, type Scene, sixDays } from './_scene.ts'

// After the turn at the first spans, there is no other one during this test.
const never = 3_600
let scene: Scene
test.before(async () => {
  scene = await openScene({ OPTIMIZER_INTERVAL_S: never, OPTIMIZER_TICK_S: never })
})
test.after.always(async () => await scene.stop())

const tool = { name: 'get_price', agentName: 'shop', costUsd: 0.01 }
const input = { item: 'tea' }

const heldOutOf = (span: OtlpSpan, decisionId: string): OtlpSpan => ({
  ...span,
  attributes: [
    ...span.attributes,
    ...makeAttributes({ 'tracewright.holdout': true, 'tracewright.decision_id': decisionId }),
  ],
})

/** Begins a transaction that writes and stays open until the returned function is called. */
async function beginTransaction(t: ExecutionContext): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: scene.service.databaseUrl })
  await client.connect()
  t.teardown(async () => await client.end())
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  return async () => void (await client.query('commit'))
}

test('a different result of a held-out call also ends serving in the other process', async (t) => {
  await scene.remember(
    tool,
    sixDays([input], () => ({ price: 1 }), 10 * minuteMs),
  )
  const { id } = await scene.untilState(tool.name, 'shadow')
  // A slow turn is continued by another one. Once it is done at both workspaces, none is left.
  await until(async () => (await countLooks(scene.service, 'done')) > 1)
  const looks = await countLooks(scene.service)
  // A failed call contradicts as well: here it makes the gate measure the proposed rule, which its history proves.
  const failed = await scene.execute(tool, { input: { item: 'coffee' }, startMs: Date.now() })
  await scene.send([failed])
  t.is((await scene.listDecisions(tool.name))[0]?.state, 'shadow', 'the control: other calls wait for the next look')
  await scene.send([heldOutOf(await scene.execute(tool, { input: { item: 'coffee' }, startMs: Date.now() }), id)])
  await scene.untilState(tool.name, 'active')

  let price = 1
  const draw = { now: 0.999 }
  const [one, other] = [
    scene.openClient(t, { agentName: 'shop', random: () => draw.now }),
    scene.openClient(t, { agentName: 'shop' }),
  ]
  const [getPrice, getElsewhere] = [one, other].map((client) =>
    client.tool(tool.name, async (_input: typeof input) => await Promise.resolve({ price }), { attest: true }),
  )
  if (getPrice === undefined || getElsewhere === undefined) throw new Error('two tools')
  for (const client of [one, other]) await scene.untilRules(client)
  for (const get of [getPrice, getElsewhere]) t.deepEqual([await get(input), await get(input)], [{ price }, { price }])
  price = 2
  t.deepEqual(await getElsewhere(input), { price: 1 }, 'the control: it is served still')
  draw.now = 0
  const commit = await beginTransaction(t)
  const measurements = await countMeasurements(scene.service)
  t.deepEqual(await getPrice(input), { price: 2 })
  await until(async () => (await countMeasurements(scene.service)) > measurements)
  t.deepEqual(
    await getElsewhere(input),
    { price: 1 },
    'the control: a measurement reads nothing that may be incomplete',
  )
  await commit()
  await until(async () => (await getElsewhere(input)).price === 2)
  t.is(await countLooks(scene.service), looks, 'no further look')
})
