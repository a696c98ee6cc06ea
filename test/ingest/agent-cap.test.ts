import test from 'ava'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { insertWorkspaceRow, makeBatch, makeEvent } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { inOneMonth } from '../_kit/one-month.ts'
import { countSpans, fallback, listAgents, makeRun, type Run, readCounts, settle, store } from './_capped.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

// Serial: settling processes the traces of all tests.

const four = ['a', 'b', 'c', 'd']

/** Makes a workspace of the plan `free`, whose cap is five, with these agents. */
async function makeWorkspace(names: readonly string[]): Promise<string> {
  const workspace = await insertWorkspaceRow(base.query, 'free')
  await store(
    base.db,
    workspace,
    names.map((name) => makeEvent({ agentOwn: name })),
  )
  return workspace
}

test.serial(
  'children that arrive before the root that names their agent take no slot of the cap',
  inOneMonth(async (t) => {
    const workspace = await makeWorkspace(four)
    const fifth = makeRun('e')
    t.like(await store(base.db, workspace, fifth.children), { stored: 3, droppedAgentCap: 0 })
    t.deepEqual(await listAgents(base, workspace), { slots: four, provisional: [fallback] })
    t.deepEqual(await readCounts(base, workspace), { agents: 4, dropped: 0 })
    t.like(await store(base.db, workspace, [fifth.root]), { stored: 1, droppedAgentCap: 0 })
    await settle(base, workspace)
    t.deepEqual(await listAgents(base, workspace), { slots: [...four, 'e'], provisional: [] })
    t.deepEqual(await readCounts(base, workspace), { agents: 5, dropped: 0 })
    t.deepEqual(await countSpans(base, workspace, fifth), { e: 4 })

    const sixth = makeRun('f')
    t.like(await store(base.db, workspace, [sixth.root]), { stored: 0, droppedAgentCap: 1 })
    t.deepEqual(await readCounts(base, workspace), { agents: 5, dropped: 1 })
  }),
)

test.serial('the control: if they took a slot, the fifth agent would get none', async (t) => {
  const workspace = await makeWorkspace(four)
  const asIfFinal = { agentCap: 5, resolved: { agentProvisional: false } }
  t.like(await store(base.db, workspace, makeRun('e').children, asIfFinal), { stored: 3 })
  t.deepEqual(await listAgents(base, workspace), { slots: [...four, fallback], provisional: [] })
  t.like(await store(base.db, workspace, [makeRun('e').root]), { stored: 0, droppedAgentCap: 1 })
})

test.serial(
  'beyond the cap, an agent’s trace with stored spans is stored completely, and another trace is dropped',
  inOneMonth(async (t) => {
    const workspace = await makeWorkspace([...four, 'e'])
    const [kept, lost] = [makeRun('f'), makeRun('f')]
    t.like(await store(base.db, workspace, kept.children), { stored: 3, droppedAgentCap: 0 })
    t.like(await store(base.db, workspace, [lost.root, kept.root]), { stored: 1, droppedAgentCap: 1 })
    await settle(base, workspace)
    t.deepEqual(await countSpans(base, workspace, kept), { f: 4 })
    t.deepEqual(await countSpans(base, workspace, lost), {})
    t.deepEqual(await listAgents(base, workspace), { slots: [...four, 'e'], provisional: ['f'] })
    t.deepEqual(await readCounts(base, workspace), { agents: 5, dropped: 1 })
    t.like(
      await store(base.db, workspace, [makeRun('f').root]),
      { stored: 0, droppedAgentCap: 1 },
      'it has no slot yet',
    )
  }),
)

test.serial('a root is stored with the spans of its trace in the same group commit, in any order', async (t) => {
  const workspace = await makeWorkspace([...four, 'e'])
  const runs: Run[] = [makeRun('f'), makeRun('g'), makeRun('h')]
  const [first, second, alone] = runs as [Run, Run, Run]
  const subagent = makeEvent({ traceId: alone.root.traceId, parentSpanId: alone.root.spanId, agentOwn: 'a' })
  const batches = [[first.root], first.children, second.children, [second.root], [alone.root, subagent]].map((events) =>
    makeBatch(workspace, events, { agentCap: 5 }),
  )
  const outcomes = await storeGroup(base.db, batches)
  t.deepEqual(
    outcomes.map(({ stored, droppedAgentCap }) => [stored, droppedAgentCap]),
    [
      [1, 0],
      [3, 0],
      [3, 0],
      [1, 0],
      [2, 0],
    ],
  )
  await settle(base, workspace)
  t.deepEqual(await Promise.all(runs.map(async (run) => await countSpans(base, workspace, run))), [
    { f: 4 },
    { g: 4 },
    { h: 1, a: 1 },
  ])
  t.deepEqual(await listAgents(base, workspace), { slots: [...four, 'e'], provisional: ['f', 'g', 'h'] })
  const roots = [makeRun('f').root, makeRun('g').root].map((root) => makeBatch(workspace, [root], { agentCap: 5 }))
  t.deepEqual(
    (await storeGroup(base.db, roots)).map(({ stored, droppedAgentCap }) => [stored, droppedAgentCap]),
    [
      [0, 1],
      [0, 1],
    ],
    'roots alone are dropped: the control',
  )
})

test.serial('a trace that is settled before its root arrives does not take the slot of a named agent', async (t) => {
  const workspace = await makeWorkspace(four)
  const [fifth, under] = [makeRun('e'), makeRun('e')]
  await store(base.db, workspace, [...fifth.children, ...under.children])
  await settle(base, workspace)
  t.deepEqual(await listAgents(base, workspace), { slots: four, provisional: [fallback] })
  t.deepEqual(await readCounts(base, workspace), { agents: 5, dropped: 0 }, 'it counts, since there is room')
  t.like(await store(base.db, workspace, [fifth.root, makeRun('e').root]), { stored: 2, droppedAgentCap: 0 })
  await settle(base, workspace)
  t.deepEqual(await listAgents(base, workspace), { slots: [...four, 'e'], provisional: [fallback] })
  t.deepEqual(await readCounts(base, workspace), { agents: 5, dropped: 0 }, 'it counts no more')
  t.deepEqual(await countSpans(base, workspace, under), { [fallback]: 3 })
})

test.serial(
  'a root that names no agent takes a slot for its service, whose agent was provisional before',
  async (t) => {
    const workspace = await makeWorkspace(four)
    const { root, children } = makeRun('e')
    await store(base.db, workspace, children)
    t.like(await store(base.db, workspace, [{ ...root, agentOwn: null }]), { stored: 1 })
    t.deepEqual(await listAgents(base, workspace), { slots: [...four, fallback], provisional: [] })
    await settle(base, workspace)
    t.deepEqual(await listAgents(base, workspace), { slots: [...four, fallback], provisional: [] })
  },
)

test.serial(
  'a dropped root that comes again is counted once, and is stored once its trace has spans',
  inOneMonth(async (t) => {
    const workspace = await makeWorkspace([...four, 'e'])
    const { root, children } = makeRun('f')
    for (let times = 0; times < 2; times++) t.like(await store(base.db, workspace, [root]), { droppedAgentCap: 1 })
    t.deepEqual(await readCounts(base, workspace), { agents: 5, dropped: 1 })
    await store(base.db, workspace, children)
    t.like(await store(base.db, workspace, [root, ...children]), { stored: 1, duplicate: 3, droppedAgentCap: 0 })
    t.like(await store(base.db, workspace, [root, ...children]), { stored: 0, duplicate: 4, droppedAgentCap: 0 })
    t.deepEqual(await readCounts(base, workspace), { agents: 5, dropped: 1 })
  }),
)

test.serial('with a higher cap, agents without a slot count at once, and get one when named again', async (t) => {
  const workspace = await makeWorkspace([...four, 'e'])
  const { root, children } = makeRun('f')
  await store(base.db, workspace, [...children, root])
  await settle(base, workspace)
  t.deepEqual(await readCounts(base, workspace), { agents: 5, dropped: 0 })
  await base.query(`update workspaces set plan = 'team' where id = $1`, [workspace])
  t.deepEqual(await readCounts(base, workspace), { agents: 6, dropped: 0 })
  t.like(await store(base.db, workspace, [makeRun('f').root], { agentCap: 100 }), { stored: 1 })
  t.deepEqual(await listAgents(base, workspace), { slots: [...four, 'e', 'f'], provisional: [] })
})

test.serial('without a cap, every agent counts, and one that had no slot gets it with any span', async (t) => {
  const workspace = await makeWorkspace(four)
  const { children } = makeRun('e')
  await store(base.db, workspace, children.slice(0, 1))
  await base.query(`update workspaces set plan = 'self_hosted' where id = $1`, [workspace])
  await store(base.db, workspace, children.slice(1), { agentCap: null })
  t.deepEqual(await listAgents(base, workspace), { slots: [...four, fallback], provisional: [] })
  t.deepEqual(await readCounts(base, workspace), { agents: 5, dropped: 0 })
})

test.serial('an agent that an older release has made takes a slot', async (t) => {
  const workspace = await makeWorkspace(four)
  await base.query(
    `insert into agents (workspace_id, id, name, first_seen, last_seen) values ($1, gen_random_uuid(), 'older', now(), now())`,
    [workspace],
  )
  t.like(await store(base.db, workspace, [makeRun('e').root]), { stored: 0, droppedAgentCap: 1 })
})

test.serial(
  'an agent gets no slot where a quota drops the span that names it',
  inOneMonth(async (t) => {
    const workspace = await makeWorkspace(four)
    const { root, children } = makeRun('e')
    await store(base.db, workspace, children)
    t.like(await store(base.db, workspace, [root], { agentCap: 5, eventQuota: 7 }), { stored: 0, droppedQuota: 1 })
    t.deepEqual(await listAgents(base, workspace), { slots: four, provisional: [fallback] })
  }),
)

test.serial('an agent that settling makes, since the span that named another is lost, counts', async (t) => {
  for (const plan of ['free', 'self_hosted']) {
    const workspace = await insertWorkspaceRow(base.query, plan)
    const inherited = { agentCap: 5, resolved: { agentName: 'planner', agentProvisional: false } }
    await store(base.db, workspace, makeRun('planner').children, inherited)
    await settle(base, workspace)
    t.deepEqual(await listAgents(base, workspace), { slots: [], provisional: [fallback] })
    t.deepEqual(await readCounts(base, workspace), { agents: 1, dropped: 0 })
  }
})

test.serial('settling a settled trace again changes no agent', async (t) => {
  const workspace = await makeWorkspace(four)
  await store(base.db, workspace, makeRun('e').children)
  await settle(base, workspace)
  const read = async () => await base.query('select * from agents where workspace_id = $1 order by name', [workspace])
  const before = await read()
  t.deepEqual(
    before.map((agent) => [agent['name'], agent['in_settled_trace']]),
    [...four.map((name) => [name, false]), [fallback, true]],
  )
  await base.query('update traces set settled = false where workspace_id = $1', [workspace])
  await settle(base, workspace)
  t.deepEqual(await read(), before)
})
