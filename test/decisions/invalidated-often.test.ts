// A tool that is invalidated repeatedly: each result is compared only with results since the last invalidation.
import { randomUUID } from 'node:crypto'
import test from 'ava'
import type { EventSeed } from '../_kit/events.ts'
import { useDatabase } from '../_kit/use-database.ts'
import { gate, makeDecision, makeEvery, readShown, type Subject, store } from './_gated.ts'

const world = useDatabase()
const { db, query } = world

/** Invalidates as the owner of the tool does, at the given time. */
async function invalidate({ workspaceId }: Subject, atMs: number): Promise<void> {
  const made = await db.row('serving/invalidate', [workspaceId, randomUUID(), 'search', null, null, null, 10_000])
  if (made === null) throw new Error('the workspace is gone')
  await query('update invalidations set at = $2 where workspace_id = $1', [workspaceId, new Date(atMs)])
}

const everyMs = 4_000
const startMs = Date.parse('2026-03-01T00:00:00Z')
const changes = 100

/** A call each second, whose results change after each invalidation. */
const makeCalls = (): EventSeed[] =>
  makeEvery(1_000, (changes * everyMs) / 1_000, startMs, (at) => ({
    durationUs: 0,
    contentHash: `version ${Math.floor((at * 1_000) / everyMs)}`,
  }))

const changedAt = (nth: number): number => startMs + nth * everyMs - 1

test('each of several invalidations within one measurement counts', async (t) => {
  const subject = await makeDecision(world)
  for (let nth = 1; nth < changes; nth++) await invalidate(subject, changedAt(nth))
  await store(world, subject, makeCalls())
  await gate(world, subject)
  const { score } = await readShown(world, subject)
  t.like(score, { wrong: 0 })
  t.true((score?.trials ?? 0) > 10)
})

test('an invalidation counts for calls that are stored after a later one', async (t) => {
  const subject = await makeDecision(world)
  const calls = makeCalls()
  const perLook = 2 * (everyMs / 1_000)
  for (const nth of [1, 2]) await invalidate(subject, changedAt(nth))
  for (let from = 0; from < calls.length; from += perLook) {
    // The spans of a pass arrive after the invalidations of the next one have been read.
    await store(world, subject, calls.slice(from, from + perLook))
    const next = (from / perLook + 1) * 2
    for (const nth of [next + 1, next + 2]) await invalidate(subject, changedAt(nth))
    await gate(world, subject)
  }
  const { score } = await readShown(world, subject)
  t.like(score, { wrong: 0 })
  t.true((score?.trials ?? 0) > 10)
})
