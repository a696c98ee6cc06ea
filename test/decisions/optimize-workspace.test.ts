// A turn at a workspace: a long history is replayed in several looks, and SDKs are told of what changes without a move.
import test from 'ava'
import type { Judged } from '../../src/decisions/optimize-workspace.ts'
import { makeDatabase } from '../_kit/db.ts'
import { addDecision, makeWorkspace } from '../_kit/workspace.ts'
import { openTurns } from './_turn.ts'

const base = await makeDatabase()
test.after.always(base.stop)

const nothing: Judged = { moved: null, verdict: 'inconclusive', complete: true, touchesRules: false, horizon: null }

test('a history that one look does not replay goes on in the same turn', async (t) => {
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

test('a history that does not end within a turn goes on with the next one, after those that wait', async (t) => {
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

test('a look that fails in the midst of a history is not taken again in the same turn', async (t) => {
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
