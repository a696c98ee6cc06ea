// A turn at a workspace: a long history is replayed in several passes, SDKs are notified of changes that move no decision, and a concurrent
// change by a user takes effect.
import test from 'ava'
import { moveDecision } from '../../src/decisions/move.ts'
import type { Judged } from '../../src/decisions/optimize-workspace.ts'
import { storeEvents } from '../_kit/events.ts'
import { useDatabase } from '../_kit/use-database.ts'
import { addDecision, makeWorkspace } from '../_kit/workspace.ts'
import { intercept } from '../ingest/_intercept.ts'
import { openTurns } from './_turn.ts'
import { makeRun } from './propose/_runs.ts'

const base = useDatabase()

const nothing: Judged = { moved: null, verdict: 'inconclusive', complete: true, touchesRules: false, horizon: null }

test('a history that one measurement does not replay continues in the same turn', async (t) => {
  const id = await makeWorkspace(base.query)
  await addDecision(base.query, id, { state: 'active' })
  let looks = 0
  const judge = async (): Promise<Judged> => {
    looks += 1
    return await Promise.resolve({ ...nothing, complete: looks >= 4, touchesRules: looks === 2 })
  }
  const turns = openTurns(base, id, { judge })
  t.is(await turns.take(), 'done')
  t.is(looks, 4)
  t.deepEqual(turns.published, [id])
  t.deepEqual(turns.moved, [])
})

test('a history that is not finished within a turn continues in the next one, after the workspaces that wait', async (t) => {
  const id = await makeWorkspace(base.query)
  await addDecision(base.query, id, { state: 'shadow' })
  let [nowMs, looks] = [0, 0]
  const judge = async (): Promise<Judged> => {
    looks += 1
    nowMs += 60
    return await Promise.resolve({ ...nothing, complete: looks >= 5 })
  }
  const turns = openTurns(base, id, { judge, turnMs: 100, nowMs: () => nowMs })
  t.is(await turns.take(), 'more')
  t.is(looks, 2)
  t.is(await turns.take(), 'more')
  t.is(await turns.take(), 'done')
  t.is(looks, 5)
})

test('a measurement that fails in the middle of a history is not repeated in the same turn', async (t) => {
  const id = await makeWorkspace(base.query)
  await addDecision(base.query, id, { state: 'shadow' })
  let looks = 0
  const judge = async (): Promise<Judged> => {
    looks += 1
    if (looks === 2) throw new Error('broken')
    return await Promise.resolve({ ...nothing, complete: false })
  }
  const turns = openTurns(base, id, { judge })
  t.is(await turns.take(), 'failed')
  t.is(looks, 2)
  t.is(turns.errors.length, 1)
})

/** Makes a workspace in which open decisions of the gate that save little take all slots, and a tool that would save much has none. */
async function makeFullWorkspace(): Promise<string> {
  const workspaceId = await makeWorkspace(base.query)
  await base.query(
    `insert into decisions (id, workspace_id, type, state, tool_name, config, measured_at, shadow_at)
     select gen_random_uuid(), $1, 'reuse_identity', 'shadow', 'tool ' || n,
       jsonb_build_object('evidence', jsonb_build_object('rank', jsonb_build_object('usd', n * 1e-9, 'latency_saved_ms', 0))),
       now(), now()
     from generate_series(1, 100) n`,
    [workspaceId],
  )
  const runs = Array.from({ length: 20 }, (_, at) => makeRun(1 + at / 5, { tool: 'dear', providedCostUsd: 5 }))
  await storeEvents(base.query, workspaceId, runs)
  return workspaceId
}

test('a decision that a user activates while its place is being given away stays active', async (t) => {
  for (const isActivated of [true, false]) {
    const workspaceId = await makeFullWorkspace()
    const [least] = await base.query<{ id: string }>(
      `select id from decisions where workspace_id = $1 and tool_name = 'tool 1'`,
      [workspaceId],
    )
    const decisionId = least?.id ?? ''
    let isChosen = false
    const db = intercept(base.db, async (statement) => {
      if (statement !== 'decisions/lock' || isChosen) return undefined
      isChosen = true
      if (!isActivated) return undefined
      const step = { workspaceId, decisionId, to: 'active', actor: 'user', isForced: true } as const
      t.true((await moveDecision(base, step)).ok)
      return undefined
    })
    const turns = openTurns({ db }, workspaceId, { judge: async () => await Promise.resolve(nothing) })
    await turns.take()
    t.deepEqual(turns.errors, [])
    t.true(isChosen)
    t.deepEqual(turns.moved, isActivated ? [] : ['disabled evicted'])
    const [after] = await base.query('select state from decisions where id = $1', [decisionId])
    t.deepEqual(after, { state: isActivated ? 'active' : 'disabled' })
  }
})

test('a proposed decision waits for approval as soon as the setting says so', async (t) => {
  for (const isSet of [true, false]) {
    const id = await makeWorkspace(base.query)
    await addDecision(base.query, id, { state: 'proposed' })
    let locks = 0
    const db = intercept(base.db, async (statement) => {
      if (statement !== 'decisions/lock') return undefined
      locks += 1
      if (locks === 1) await base.query('update workspaces set approves_decisions = $2 where id = $1', [id, isSet])
      return undefined
    })
    const turns = openTurns({ db }, id)
    t.is(await turns.take(), 'done')
    t.true(locks > 0)
    t.deepEqual(turns.moved, isSet ? [] : ['shadow proposed'])
  }
})
