// The replay behind the gate: the figures do not depend on the commits, batches and databases in which executions arrive; and an
// invalidated result is never a candidate.
import { randomUUID } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import { gateDecision } from '../../src/decisions/gate-decision.ts'
import {
  advanceLadder,
  keepLadder,
  type LadderSubject,
  type ReplayBounds,
} from '../../src/decisions/ladder/advance-ladder.ts'
import { agentIdOf, type EventSeed } from '../_kit/events.ts'
import { useDatabase } from '../_kit/use-database.ts'
import {
  dayMs,
  failed,
  gate,
  makeDecision,
  makeEvery,
  makeExecution,
  readServed,
  readShown,
  type Subject,
  shadowMs,
  store,
  untilSeen,
} from './_gated.ts'

const world = useDatabase()
const { db, query } = world

/** Ten minutes of three inputs, with some wrong results and errors; not yet enough for a proof. */
const makeMixed = (): EventSeed[] =>
  makeEvery(1_500, 400, shadowMs, (at) => ({
    inputHash: `input ${at % 3}`,
    ...(at % 97 === 96 ? failed : { contentHash: at % 40 === 39 ? 'other' : 'same' }),
  }))

const ladderOf = ({ workspaceId }: Subject): LadderSubject => ({
  workspaceId,
  toolName: 'search',
  toolVersion: null,
  agentId: null,
  inputHash: null,
})

/** Makes a decision whose figures result from these executions in one commit and one pass of the gate. */
async function makeReference(seeds: readonly EventSeed[]): Promise<Subject> {
  const subject = await makeDecision(world)
  await store(world, subject, seeds)
  await gate(world, subject)
  return subject
}

async function isSame(t: ExecutionContext, subject: Subject, reference: Subject): Promise<void> {
  const shown = await readShown(world, subject)
  t.true((shown.score?.trials ?? 0) > 100 && (shown.score?.wrong ?? 0) > 0)
  t.deepEqual(shown, await readShown(world, reference))
  t.deepEqual(await readServed(world, subject), await readServed(world, reference))
}

test('many commits with a measurement after each give the same result as one commit and one measurement', async (t) => {
  const seeds = makeMixed()
  const subject = await makeDecision(world)
  for (let from = 0; from < seeds.length; from += 50) {
    await store(world, subject, seeds.slice(from, from + 50))
    await gate(world, subject)
  }
  await isSame(t, subject, await makeReference(seeds))
})

test('a result that the sender could not store is a wrong trial, in the history and in later commits', async (t) => {
  const subject = await makeDecision(world)
  const unstorable = { contentHash: 'unstorable', keyId: null }
  const seeds = makeEvery(1_500, 400, shadowMs, (at) => (at % 40 === 39 ? unstorable : {}))
  await store(world, subject, seeds.slice(0, 200))
  await gate(world, subject)
  const before = (await readShown(world, subject)).score?.wrong ?? 0
  t.true(before > 0, `${before} wrong`)
  await store(world, subject, seeds.slice(200))
  await gate(world, subject)
  t.true(((await readShown(world, subject)).score?.wrong ?? 0) > before)
})

const settings = { floor: 0.95, alpha: 0.05, holdoutRate: 0.05, maxFreshnessS: 86_400 }

type Replayed = { readonly looks: number; readonly executions: number; readonly state: string }

/** Replays the subject until all executions are replayed. */
async function replay(subject: Subject, bounds: ReplayBounds): Promise<Replayed> {
  let [looks, executions] = [0, 0]
  for (;;) {
    const { decisionId } = subject
    const options = { settings, forcedFreshnessS: null, servingSinceUs: null, decisionId, bounds }
    const advanced = await db.tx(async (tx) => {
      const done = await advanceLadder(tx, ladderOf(subject), options)
      await keepLadder(tx, ladderOf(subject), done)
      return done
    })
    looks += 1
    executions += advanced.executions
    if (advanced.complete) return { looks, executions, state: Buffer.from(advanced.ladder.write()).toString('hex') }
  }
}

/** Replays all stored executions from the start. */
async function replayAnew(subject: Subject): Promise<Replayed> {
  await query('delete from ladders where workspace_id = $1', [subject.workspaceId])
  return await replay(subject, { batch: 5_000, batches: 10 })
}

test('a replay in small batches, within and across measurements, gives the same result as one batch', async (t) => {
  const subject = await makeDecision(world)
  const seeds = makeMixed()
  await store(world, subject, seeds.slice(0, 250))
  await untilSeen(world, subject.workspaceId)
  await replay(subject, { batch: 7, batches: 3 })
  for (const one of seeds.slice(250, 300)) await store(world, subject, [one])
  await store(world, subject, seeds.slice(300))
  await untilSeen(world, subject.workspaceId)
  const cut = await replay(subject, { batch: 7, batches: 3 })
  t.true(cut.looks >= 7)
  t.is(cut.executions, 150)
  const whole = await replayAnew(subject)
  t.like(whole, { looks: 1, executions: 400 })
  t.is(cut.state, whole.state)
})

test('a rule in shadow is not called proven before all its executions are read', async (t) => {
  const subject = await makeDecision(world)
  await store(world, subject, makeEvery(2_000, 600, shadowMs))
  const part = await gate(world, subject, undefined, { batch: 550, batches: 1 })
  t.like(part, { moved: null, verdict: 'pass', complete: false })
  t.like(await readServed(world, subject), { proven: false })
  t.like((await readShown(world, subject)).score, { proven: false })
  t.is((await gate(world, subject)).moved, 'active')
  t.like(await readServed(world, subject), { proven: true })
})

test('an execution that is stored late counts once, in the period in which it is stored', async (t) => {
  const subject = await makeDecision(world)
  const seeds = makeEvery(1_500, 400, shadowMs, (at) => ({ inputHash: `input ${at % 3}` }))
  const isLate = (_one: EventSeed, at: number): boolean => at >= 100 && at < 130
  await store(
    world,
    subject,
    seeds.filter((one, at) => !isLate(one, at)),
  )
  await gate(world, subject)
  const before = await readShown(world, subject)
  await store(world, subject, seeds.filter(isLate))
  await gate(world, subject)
  const after = await readShown(world, subject)
  const [first, then] = [before, after].map(({ score }) => score?.rungs[0])
  t.is(then?.blocks, first?.blocks)
  const more = (then?.trials ?? 0) - (first?.trials ?? 0)
  t.true(more > 0 && more <= 30, `${more} more`)
  await gate(world, subject)
  t.deepEqual(await readShown(world, subject), after)
  // Executions that arrive in time afterwards count as usual.
  await store(world, subject, makeEvery(1_500, 100, shadowMs + 600_000))
  await gate(world, subject)
  t.true(((await readShown(world, subject)).score?.trials ?? 0) > (after.score?.trials ?? 0) + 50)
})

test('in a restored database, whose transaction ids start again, everything is replayed again', async (t) => {
  const seeds = makeMixed()
  const subject = await makeDecision(world)
  await store(world, subject, seeds.slice(0, 300))
  await gate(world, subject)
  await untilSeen(world, subject.workspaceId)
  const ahead = '8000000000000000000'
  await query('update ladders set next_xid = $2::text::xid8 where workspace_id = $1', [subject.workspaceId, ahead])
  await store(world, subject, seeds.slice(300))
  await untilSeen(world, subject.workspaceId)
  // The copied rows keep the transaction ids under which the other database stored them.
  await query('update events set inserted_xid = $2::text::xid8 where workspace_id = $1 and start_time < $3', [
    subject.workspaceId,
    ahead,
    seeds[300]?.start,
  ])
  const look = { db, nowMs: () => shadowMs + dayMs }
  t.is((await gateDecision(look, subject.workspaceId, subject.decisionId)).damage, null)
  await isSame(t, subject, await makeReference(seeds))
})

test('evidence that was stored for another floor or by another version is collected again', async (t) => {
  const seeds = makeMixed()
  const reference = await makeReference(seeds)
  const old = await makeReference(seeds)
  await query('update ladders set state = set_byte(state, 0, 99) where workspace_id = $1', [old.workspaceId])
  t.is((await gate(world, old)).damage, null)
  await isSame(t, old, reference)

  const { decisionId } = old
  const setFloor = `update decisions set config = config || jsonb_build_object('floor', $2::float8) where id = $1`
  await query(setFloor, [decisionId, 0.6])
  t.like(await gate(world, old), { damage: null, moved: 'active' })
})

test('damaged evidence is collected again and reported', async (t) => {
  const seeds = makeMixed()
  const reference = await makeReference(seeds)
  for (const damage of ['substring(state from 1 for 40)', `''::bytea`, `state || '\\x00'::bytea`]) {
    const subject = await makeReference(seeds)
    await query(`update ladders set state = ${damage} where workspace_id = $1`, [subject.workspaceId])
    t.true((await gate(world, subject)).damage instanceof Error, damage)
    await isSame(t, subject, reference)
    t.is((await gate(world, subject)).damage, null)
  }
})

type Invalidation = { tool?: string; agent?: string; version?: string; input?: string }
const invalidate = async ({ workspaceId }: Subject, atMs: number, of: Invalidation = {}): Promise<unknown> =>
  await query(
    `insert into invalidations (workspace_id, id, at, tool_name, agent_name, tool_version, input_hash)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      workspaceId,
      randomUUID(),
      new Date(atMs),
      of.tool ?? 'search',
      of.agent ?? null,
      of.version ?? null,
      of.input ?? null,
    ],
  )

const invalidatedMs = shadowMs + 300_700

/** Steady calls of two inputs, whose results change at `invalidatedMs`. With these ids, both inputs are being served when they change. */
const makeChanged = (): EventSeed[] =>
  makeEvery(1_000, 400, shadowMs, (at) => ({
    callId: `call ${at}`,
    inputHash: `input ${at % 2}`,
    contentHash: shadowMs + at * 1_000 > invalidatedMs ? 'new' : 'old',
  }))

const listStale = async ({ decisionId }: Subject): Promise<object[]> =>
  await query(
    `select from decision_trials t join events c on c.trace_id = t.candidate_trace_id and c.span_id = t.candidate_span_id
     where t.decision_id = $1 and c.start_time <= $2 and t.start_time > $2`,
    [decisionId, new Date(invalidatedMs)],
  )

for (const [when, cuts, isEarly] of [
  ['in one look', [0, 400], true],
  ['with the executions after it in a look of their own', [0, 301, 400], true],
  ['when it is told between two looks', [0, 301, 400], false],
] as const)
  test(`executions before an invalidation are no candidates after it, ${when}`, async (t) => {
    const subject = await makeDecision(world)
    const seeds = makeChanged()
    if (isEarly) await invalidate(subject, invalidatedMs)
    for (const [nth, cut] of cuts.slice(0, -1).entries()) {
      if (nth === 1 && !isEarly) await invalidate(subject, invalidatedMs)
      await store(world, subject, seeds.slice(cut, cuts[nth + 1]))
      await gate(world, subject)
    }
    t.like((await readShown(world, subject)).score, { wrong: 0 })
    t.true(((await readShown(world, subject)).score?.trials ?? 0) > 200)
    t.deepEqual(await listStale(subject), [])
  })

test('an invalidation applies only to the tool and inputs that it names', async (t) => {
  // The same spans each time, since the holdout is drawn by their ids.
  const seeds = makeChanged().map((one) => ({ ...one, agent: 'agent' }))
  const wrongAfter = async (of: Invalidation | null, config: object = {}): Promise<number> => {
    const subject = await makeDecision(world)
    const agentId = agentIdOf(subject.workspaceId, 'agent')
    await query(`update decisions set agent_id = $2, config = config || $3 where id = $1`, [
      subject.decisionId,
      agentId,
      { agent_id: agentId, ...config },
    ])
    if (of !== null) await invalidate(subject, invalidatedMs, of)
    await store(world, subject, seeds)
    await gate(world, subject)
    return (await readShown(world, subject)).score?.wrong ?? -1
  }
  t.true((await wrongAfter(null)) >= 2)
  t.is(await wrongAfter({ agent: 'agent' }), 0)
  t.true((await wrongAfter({ agent: 'another' })) >= 2)
  t.true((await wrongAfter({ tool: 'another' })) >= 2)
  t.true((await wrongAfter({ version: '2' })) >= 2)
  const one = await wrongAfter({ input: 'input 0' })
  t.true(one >= 1 && one < (await wrongAfter(null)))
})

test('invalidations apply at their times, even if a replay is split into many measurements', async (t) => {
  const subject = await makeDecision(world)
  await invalidate(subject, invalidatedMs)
  await invalidate(subject, invalidatedMs + 80_000, { agent: 'one agent' })
  await invalidate(subject, shadowMs + dayMs, { agent: 'another' })
  await store(world, subject, makeChanged())
  await untilSeen(world, subject.workspaceId)
  const cut = await replay(subject, { batch: 50, batches: 1 })
  t.true(cut.looks >= 8)
  t.is(cut.state, (await replayAnew(subject)).state)
})

test('two invalidations, one of them far ahead of the executions, both count', async (t) => {
  const subject = await makeDecision(world)
  const seeds = makeChanged()
  await invalidate(subject, invalidatedMs)
  await invalidate(subject, shadowMs + 10 * dayMs, { input: 'input 0' })
  await store(world, subject, seeds)
  await store(world, subject, [makeExecution(shadowMs + 11 * dayMs)])
  await gate(world, subject, shadowMs + 12 * dayMs)
  t.like((await readShown(world, subject)).score, { wrong: 0 })
  t.deepEqual(await listStale(subject), [])
})
