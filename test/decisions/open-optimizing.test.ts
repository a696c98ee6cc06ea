import test from 'ava'
import { type OptimizingOptions, openOptimizing } from '../../src/decisions/open-optimizing.ts'
import type { Judged } from '../../src/decisions/optimize-workspace.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { storeEvents } from '../_kit/events.ts'
import { until } from '../_kit/until.ts'
import { addDecision, makeWorkspace } from '../_kit/workspace.ts'
import { makeRun } from './propose/_runs.ts'

let base: TestDatabase
test.beforeEach(async () => {
  base = await makeDatabase()
})
const stops: (() => Promise<void>)[] = []
test.afterEach.always(async () => {
  for (const stop of stops.splice(0)) await stop()
  await base.stop()
})

/** Findings are detected more often in young workspaces. */
const makeOld = async (): Promise<unknown> =>
  await base.query(`update workspaces set created_at = now() - interval '1 day'`)

const repeat = async (workspaceId: string, tool = 'search'): Promise<void> =>
  await storeEvents(
    base.query,
    workspaceId,
    [40, 30, 20, 10].map((ago) => makeRun(ago, { tool })),
  )

const nothing: Judged = { moved: null, verdict: 'inconclusive', complete: true, touchesRules: false, horizon: null }

/** The events that the loop reported while it ran. */
function openLoop(options: Partial<OptimizingOptions> = {}) {
  const told = {
    proposed: [] as string[],
    moved: [] as string[],
    judged: [] as string[],
    published: [] as string[],
    found: [] as string[],
    turns: [] as string[],
    errors: [] as unknown[],
  }
  const loop = openOptimizing({
    db: base.db,
    judge: async (workspaceId, decisionId) => {
      told.judged.push(workspaceId)
      await base.query('update decisions set measured_at = clock_timestamp() where id = $1', [decisionId])
      return nothing
    },
    detectFindings: async (workspaceId) => {
      told.found.push(workspaceId)
      return { opened: 0, updated: 0, resolved: 0 }
    },
    publishRules: (workspaceId) => told.published.push(workspaceId),
    onProposed: (workspaceId) => told.proposed.push(workspaceId),
    onMoved: (workspaceId, _id, to, why) => told.moved.push(`${workspaceId} ${to} ${why}`),
    onFound: () => undefined,
    isOurs: () => true,
    dbFor: () => options.db ?? base.db,
    onStep: () => undefined,
    onError: (error) => told.errors.push(error),
    onLoopError: (error) => told.errors.push(error),
    onTurn: (turn) => told.turns.push(turn),
    passEveryMs: 20,
    tickMs: 20,
    findEveryMs: 3_600_000,
    judgeEveryMs: 3_600_000,
    // No turn is cut short, however slow the machine is.
    turnMs: 60_000,
    share: 1,
    nowMs: () => performance.now(),
    ...options,
  })
  stops.push(loop.stop)
  return { ...told, wake: loop.wake, hurry: loop.measureSoon, lagMs: loop.lagMs, stop: loop.stop }
}

const states = async (workspaceId: string): Promise<string[]> =>
  (
    await base.query<{ state: string }>('select state from decisions where workspace_id = $1 order by 1', [workspaceId])
  ).map(({ state }) => state)

test.serial(
  'every workspace is processed: rules are proposed, started in shadow and judged, and findings are detected',
  async (t) => {
    const workspaces = await Promise.all(Array.from({ length: 5 }, async () => await makeWorkspace(base.query)))
    await makeOld()
    for (const id of workspaces) await repeat(id)
    const loop = openLoop()
    await until(() => new Set(loop.judged).size === 5 && loop.found.length === 5)
    await loop.stop()
    for (const id of workspaces) t.deepEqual(await states(id), ['shadow'])
    t.deepEqual(loop.proposed.toSorted(), workspaces.toSorted())
    t.deepEqual(loop.moved.toSorted(), workspaces.map((id) => `${id} shadow proposed`).toSorted())
    t.deepEqual(loop.published, [])
    t.deepEqual(loop.errors, [])
    const trail = await base.query('select distinct actor, from_state, to_state from decision_transitions order by 3')
    t.deepEqual(trail, [
      { actor: 'gate', from_state: null, to_state: 'proposed' },
      { actor: 'gate', from_state: 'proposed', to_state: 'shadow' },
    ])
  },
)

test.serial(
  'decisions that stored calls contradict are measured long before the next look, and they alone',
  async (t) => {
    const [id, other] = [await makeWorkspace(base.query), await makeWorkspace(base.query)]
    const decisions: string[] = []
    const hourMs = 3_600_000
    const loop = openLoop({
      passEveryMs: hourMs,
      tickMs: hourMs,
      isOurs: (workspaceId) => workspaceId === id,
      judge: async (workspaceId, decisionId) => {
        if (decisions.push(`${workspaceId} ${decisionId}`) === 2) throw new Error('the second one fails')
        return await Promise.resolve({ ...nothing, touchesRules: true })
      },
    })
    await until(() => loop.turns.length === 1)
    loop.hurry(other, ['not ours'])
    // The control: a decision that is not contradicted waits.
    loop.wake(id)
    loop.hurry(id, ['one', 'two'])
    loop.hurry(id, ['two', 'three'])
    // The one that failed is measured again.
    await until(() => decisions.length >= 4)
    t.deepEqual(
      decisions,
      ['one', 'two', 'three', 'two'].map((decisionId) => `${id} ${decisionId}`),
    )
    t.is(loop.turns.length, 1)
    await until(() => loop.published.length === 3)
    t.deepEqual(loop.published, [id, id, id])
    t.is(loop.errors.length, 1)
    loop.hurry(id, ['one'])
    await until(() => decisions.length === 5)
  },
)

test.serial('a contradicted decision is measured before the pass over another workspace ends', async (t) => {
  const [id, other] = [await makeWorkspace(base.query), await makeWorkspace(base.query)]
  await addDecision(base.query, other, { state: 'active' })
  const contradicted = Promise.withResolvers<Judged>()
  const started = Promise.withResolvers<void>()
  const loop = openLoop({
    judge: async (workspaceId) => {
      if (workspaceId === id) contradicted.resolve(nothing)
      else started.resolve()
      return await contradicted.promise
    },
  })
  await started.promise
  loop.hurry(id, ['one'])
  await contradicted.promise
  await until(() => loop.turns.includes('done'))
  t.deepEqual(loop.errors, [])
})

test.serial('in a workspace that approves rules itself, proposed rules stay proposed until then', async (t) => {
  const id = await makeWorkspace(base.query)
  await base.query('update workspaces set approves_decisions = true where id = $1', [id])
  await repeat(id)
  const loop = openLoop()
  await until(() => loop.turns.filter((turn) => turn === 'done').length >= 4)
  t.deepEqual(await states(id), ['proposed'])
  await base.query('update workspaces set approves_decisions = false where id = $1', [id])
  await until(async () => (await states(id))[0] === 'shadow')
  await loop.stop()
  t.deepEqual(loop.errors, [])
})

test.serial('a commit wakes it, and the configured interval lies between two passes', async (t) => {
  const id = await makeWorkspace(base.query)
  let [nowMs, reads, looks] = [0, 0, 0]
  const loop = openLoop({
    tickMs: 3_600_000,
    passEveryMs: 100,
    dbFor: () => {
      looks += 1
      return base.db
    },
    nowMs: () => {
      reads += 1
      return nowMs
    },
  })
  await until(() => loop.turns.length === 1)
  await repeat(id)
  loop.wake(id)
  nowMs = 99
  const before = reads
  // The loop reads the clock twice each time it finds nothing due.
  await until(() => reads > before + 4)
  t.is(looks, 1)
  nowMs = 100
  await until(() => loop.turns.length === 2)
  await loop.stop()
  t.deepEqual(loop.proposed, [id])
})

test.serial('a workspace that another process handles is skipped from then on', async (t) => {
  const [ours, theirs] = [await makeWorkspace(base.query), await makeWorkspace(base.query)]
  for (const id of [ours, theirs]) await repeat(id)
  let owned = new Set([ours])
  const loop = openLoop({ isOurs: (id) => owned.has(id) })
  loop.wake(theirs)
  await until(() => loop.turns.length >= 3)
  t.deepEqual([...new Set(loop.found)], [ours])
  owned = new Set([theirs])
  await until(() => loop.found.includes(theirs))
  const before = loop.judged.filter((id) => id === ours).length
  loop.wake(ours)
  await until(() => loop.turns.length >= 8)
  t.true(loop.judged.filter((id) => id === ours).length <= before + 1)
  await loop.stop()
  t.deepEqual(loop.errors, [])
})

test.serial('SDKs are notified when the gate has moved a rule', async (t) => {
  const id = await makeWorkspace(base.query)
  await addDecision(base.query, id, { state: 'shadow' })
  let judged = 0
  const loop = openLoop({
    judge: async () => {
      judged += 1
      return judged === 1 ? { ...nothing, moved: 'active', verdict: 'pass', touchesRules: true } : nothing
    },
  })
  await until(() => judged > 1)
  await loop.stop()
  t.deepEqual(loop.published, [id])
  t.deepEqual(loop.moved, [`${id} active pass`])
})

test.serial('a decision is judged again after executions of its tool, and otherwise from time to time', async (t) => {
  const id = await makeWorkspace(base.query)
  const add = async (inputHash: string | null): Promise<string> =>
    await addDecision(base.query, id, { state: 'shadow', inputHash })
  const [busy, idle, whole] = [await add('input'), await add('another'), await add(null)]
  await base.query(`update decisions set measured_at = now() - interval '5 minutes' where workspace_id = $1`, [id])
  await storeEvents(base.query, id, [makeRun(1)])
  const judgedWithin = async (judgeEveryMs: number): Promise<string[]> => {
    const judged: string[] = []
    const judge = async (_workspaceId: string, decisionId: string) => {
      judged.push(decisionId)
      return nothing
    }
    const loop = openLoop({ judgeEveryMs, judge, tickMs: 3_600_000 })
    await until(() => loop.turns.length === 1)
    await loop.stop()
    return judged.toSorted()
  }
  t.deepEqual(await judgedWithin(600_000), [busy, whole].toSorted())
  t.deepEqual(await judgedWithin(240_000), [busy, idle, whole].toSorted())
})

test.serial('a decision that cannot be judged does not hold up the others or the findings', async (t) => {
  const id = await makeWorkspace(base.query)
  const broken = await addDecision(base.query, id, { state: 'shadow' })
  const sound = await addDecision(base.query, id, { state: 'active' })
  const judged: string[] = []
  const loop = openLoop({
    // A failed step is retried after a second, which does not pass here.
    nowMs: () => 0,
    judge: async (_workspaceId, decisionId) => {
      judged.push(decisionId)
      if (decisionId === broken) throw new Error('broken')
      return nothing
    },
    detectFindings: async () => {
      judged.push('findings')
      throw new Error('also broken')
    },
  })
  await until(() => loop.turns.length > 0)
  await loop.stop()
  t.deepEqual(judged.toSorted(), [broken, sound, 'findings'].toSorted())
  t.deepEqual(
    loop.errors.map((error) => (error as Error).message),
    ['broken', 'also broken'],
  )
  t.deepEqual(loop.turns, ['failed'])
})

test.serial('findings of a new workspace are updated after its first events', async (t) => {
  const [young, old] = [await makeWorkspace(base.query), await makeWorkspace(base.query)]
  await base.query(`update workspaces set created_at = now() - interval '1 day' where id = $1`, [old])
  for (const id of [young, old]) await repeat(id)
  await base.query(`update workspaces set created_at = now() - interval '10 milliseconds' where id = $1`, [young])
  const loop = openLoop()
  await until(() => loop.found.filter((id) => id === young).length >= 3)
  await loop.stop()
  t.is(loop.found.filter((id) => id === old).length, 1)
  // Each time the workspace is twice as old.
  const [row] = await base.query<{ age_ms: number }>(
    'select extract(epoch from now() - created_at)::float8 * 1000 as age_ms from workspaces where id = $1',
    [young],
  )
  t.true(2 ** (loop.found.filter((id) => id === young).length - 1) * 10 <= (row?.age_ms ?? 0))
})

test.serial('a workspace with much to do does not keep another one waiting', async (t) => {
  const [large, small] = [await makeWorkspace(base.query), await makeWorkspace(base.query)]
  await makeOld()
  for (let nth = 0; nth < 40; nth += 1) await addDecision(base.query, large, { state: 'shadow' })
  await addDecision(base.query, small, { state: 'shadow' })
  const order: string[] = []
  let nowMs = 0
  const loop = openLoop({
    turnMs: 100,
    // The loop has visited both workspaces when the interval between two visits is over.
    passEveryMs: 400,
    nowMs: () => nowMs,
    judge: async (workspaceId, decisionId) => {
      order.push(workspaceId)
      nowMs += 20
      await base.query('update decisions set measured_at = clock_timestamp() where id = $1', [decisionId])
      return nothing
    },
  })
  await until(() => order.includes(small) && order.filter((id) => id === large).length >= 40)
  await loop.stop()
  t.true(order.indexOf(small) <= 10, `after ${order.indexOf(small)} of the other`)
  t.true(loop.turns.includes('more'))
  t.deepEqual(loop.found.toSorted(), [large, small].toSorted())
  const [row] = await base.query<{ count: number }>(
    'select count(*)::int as count from decisions where workspace_id = $1 and measured_at is null',
    [large],
  )
  t.is(row?.count, 0)
})

test.serial('two concurrent loops make the same changes as one', async (t) => {
  const workspaces = await Promise.all(Array.from({ length: 4 }, async () => await makeWorkspace(base.query)))
  for (const id of workspaces) for (const tool of ['a', 'b', 'c']) await repeat(id, tool)
  const loops = [openLoop(), openLoop()]
  await until(async () => {
    const all = await Promise.all(workspaces.map(states))
    return all.every((one) => one.length === 3 && one.every((state) => state === 'shadow'))
  })
  await until(() => loops.every(({ turns }) => turns.length > 10))
  for (const loop of loops) await loop.stop()
  t.is(loops.flatMap(({ proposed }) => proposed).length, 12)
  t.is(loops.flatMap(({ moved }) => moved).length, 12)
  const [row] = await base.query<{ count: number }>('select count(*)::int as count from decision_transitions')
  t.is(row?.count, 24)
  t.deepEqual(
    loops.flatMap(({ errors }) => errors),
    [],
  )
})

test.serial('a stop waits for the current step and begins no other', async (t) => {
  const id = await makeWorkspace(base.query)
  for (let nth = 0; nth < 3; nth += 1) await addDecision(base.query, id, { state: 'shadow' })
  let [begun, ended] = [0, 0]
  const release = Promise.withResolvers<void>()
  const loop = openLoop({
    judge: async () => {
      begun += 1
      await release.promise
      ended += 1
      return nothing
    },
  })
  await until(() => begun === 1)
  const stopping = loop.stop()
  t.deepEqual([begun, ended], [1, 0])
  release.resolve()
  await stopping
  t.deepEqual([begun, ended], [1, 1])
})

test.serial('it survives an outage of the database, and reports its lag', async (t) => {
  const id = await makeWorkspace(base.query)
  await repeat(id)
  let [isAway, nowMs] = [true, 0]
  const db = {
    ...base.db,
    tx: (async (...given: Parameters<typeof base.db.tx>) => {
      if (isAway) throw new Error('away')
      return await base.db.tx(...given)
    }) as typeof base.db.tx,
  }
  const loop = openLoop({ db, tickMs: 3_600_000, nowMs: () => nowMs })
  await until(() => loop.turns.length > 0)
  t.is(loop.lagMs(), 0)
  isAway = false
  // The loop retries after a second.
  nowMs = 1_500
  t.is(loop.lagMs(), 500)
  await until(() => loop.proposed.length === 1)
  await loop.stop()
  t.is(loop.errors.length, 1)
})
