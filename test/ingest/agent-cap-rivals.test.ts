// The agent cap while many transactions store and settle at once, and its cost.
import test from 'ava'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { settleUnhurried } from '../_kit/settle.ts'
import { until } from '../_kit/until.ts'
import { countSpans, fallback, listAgents, makeRun, readCounts, settle, store } from './_capped.ts'
import { intercept } from './_intercept.ts'
import { watch } from './_watch.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

test.serial('concurrent requests never allocate more slots than the cap has', async (t) => {
  const workspace = await insertWorkspaceRow(base.query, 'free')
  const db = watch(base.db)
  const names = Array.from({ length: 12 }, (_, at) => `agent-${at}`)
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, async (_, at) => {
      const roots = [0, 5, 7].map((step) => makeRun(names[(at + step) % names.length] ?? '').root)
      return await store(db, workspace, [...roots, ...makeRun('later').children])
    }),
  )
  const { slots, provisional } = await listAgents(base, workspace)
  t.is(slots.length, 5)
  t.deepEqual(provisional, [fallback])
  t.true(outcomes.every(({ stored, droppedAgentCap }) => stored + droppedAgentCap === 6 && stored >= 3))
  const [roots] = await base.query<{ stored: number; unslotted: number }>(
    `select count(*)::int as stored, count(*) filter (where a.provisional)::int as unslotted
     from events e join agents a on a.workspace_id = e.workspace_id and a.id = e.agent_id
     where e.workspace_id = $1 and e.kind = 'agent'`,
    [workspace],
  )
  t.deepEqual(roots, { stored: outcomes.reduce((sum, { stored }) => sum + stored - 3, 0), unslotted: 0 })
  t.deepEqual(db.failures, [])
})

type Race = { readonly slots: readonly string[]; readonly stored: readonly number[] }

/**
 * Two commits each name a new agent while one slot is left. The second one has run as far as it can before the first one adds its agent.
 */
async function raceForSlot(names: readonly [string, string], leavesOut: string | null = null): Promise<Race> {
  const other = await makeDatabase()
  const workspace = await insertWorkspaceRow(other.query, 'free')
  const atInsert: (() => void)[] = []
  const db = intercept(other.db, (statement) => {
    if (statement === leavesOut) return 'skip'
    if (statement !== 'ingest/insert-agents') return undefined
    return new Promise((resolve) => atInsert.push(() => resolve(undefined)))
  })
  const capped = { agentCap: 1 }
  const first = store(db, workspace, [makeRun(names[0]).root], capped)
  await until(() => atInsert.length === 1)
  const second = store(db, workspace, [makeRun(names[1]).root], capped)
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`
  await until(async () => atInsert.length === 2 || (await other.query(waiting)).length === 1)
  for (const goOn of atInsert) goOn()
  const stored = (await Promise.all([first, second])).map((outcome) => outcome.stored)
  const { slots } = await listAgents(other, workspace)
  await other.stop()
  return { slots, stored }
}

test.serial('of two commits that need the last slot, the second waits for the first and gets none', async (t) => {
  t.deepEqual(await raceForSlot(['first', 'second']), { slots: ['first'], stored: [1, 0] })
})

test.serial('if two commits name the same new agent, the second finds it with its slot', async (t) => {
  t.deepEqual(await raceForSlot(['same', 'same']), { slots: ['same'], stored: [1, 1] })
})

test.serial('without the lock of the cap, both get it: the control', async (t) => {
  const race = await raceForSlot(['first', 'second'], 'ingest/lock-agent-cap')
  t.deepEqual(race, { slots: ['first', 'second'], stored: [1, 1] })
})

test.serial('settling beside writers of a capped workspace drops no span and causes no failure', async (t) => {
  const workspace = await insertWorkspaceRow(base.query, 'free')
  const runs = Array.from({ length: 30 }, (_, at) => makeRun(`agent-${at % 10}`))
  const db = watch(base.db)
  const writing = new AbortController()
  const settlers = [0, 1].map(async () => {
    while (!writing.signal.aborted) await settleUnhurried(db, 0)
  })
  try {
    await Promise.all(
      runs.map(async ({ root, children }) => {
        for (const event of [...children, root]) t.like(await store(db, workspace, [event]), { stored: 1 })
      }),
    )
  } finally {
    writing.abort()
    await Promise.all(settlers)
  }
  await settle(base, workspace)
  const { slots, provisional } = await listAgents(base, workspace)
  t.deepEqual([slots.length, provisional.length], [5, 5])
  t.false(provisional.includes(fallback))
  for (const [at, run] of runs.entries())
    t.deepEqual(await countSpans(base, workspace, run), { [`agent-${at % 10}`]: 4 })
  t.deepEqual(await readCounts(base, workspace), { agents: 5, dropped: 0 })
  t.deepEqual(db.failures, [])
})

test.serial('without a cap, or if each agent has a slot, a commit runs no statement for the cap', async (t) => {
  const list = async (agentCap: number | null, names: readonly string[], workspace: string): Promise<string[]> => {
    const statements: string[] = []
    const db = intercept(base.db, (statement) => void statements.push(statement.replace('ingest/', '')))
    const events = names.map((name) => makeEvent({ agentOwn: name }))
    await storeGroup(db, [makeBatch(workspace, [...events, ...makeRun('x').children], { agentCap })])
    return statements.filter((name) => /agent|trace/.test(name))
  }
  const written = ['upsert-traces', 'upsert-agents']
  const found = ['find-agents', ...written]
  const made = ['find-agents', 'insert-agents', 'lock-agents', ...written]
  const uncapped = await insertWorkspaceRow(base.query)
  t.deepEqual(await list(null, ['a', 'b'], uncapped), made)
  t.deepEqual(await list(null, ['a', 'b'], uncapped), found)
  const capped = await insertWorkspaceRow(base.query, 'free')
  const asked = ['find-agents', 'lock-agent-cap', 'lock-agents', 'count-agents']
  t.deepEqual(await list(2, [], capped), made, 'an agent that nobody names yet asks for no slot')
  t.deepEqual(await list(2, ['a', 'b'], capped), [...asked, ...made.slice(1)])
  t.deepEqual(await list(2, ['a', 'b'], capped), found)
  t.deepEqual(await list(2, ['c'], capped), [...asked, 'find-stored-traces', ...found.slice(1)])
})
