// The watch where one measurement cannot read all that there is.
import test from 'ava'
import { measureWatch, type Watched } from '../../src/decisions/measure-watch.ts'
import { findMeasured, type MeasuredPhase, phaseOf } from '../../src/decisions/trials/phase.ts'
import { makeDatabase } from '../_kit/db.ts'
import type { EventSeed } from '../_kit/events.ts'
import { activeMs, dayMs, makeDecision, makeExecutions, store } from './_gated.ts'

const world = await makeDatabase()
test.after.always(world.stop)

async function makePhase(seeds: readonly EventSeed[], config: object): Promise<MeasuredPhase> {
  const subject = await makeDecision(world, { state: 'active', config })
  await store(world, subject, seeds)
  const row = await findMeasured(world.db, subject.workspaceId, subject.decisionId)
  const phase = row === null ? null : phaseOf(row, 'active')
  if (phase === null) throw new Error('not active')
  return phase
}

const bounds = { inLook: 20, looks: 2 }

test('it goes on where it ended, until it has seen everything, and finds drift at the end', async (t) => {
  const seeds = makeExecutions(200, activeMs, (at) => ({ contentHash: at < 180 ? 'same' : `content ${at}` }))
  const phase = await makePhase(seeds, { freshness_s: 1_200 })
  let fromUs = phase.beganUs
  let watched: Watched | null = null
  const seen = new Set<number>()
  for (let looks = 0; looks < 30; looks += 1) {
    const note = ({ startUs }: { startUs: number }): void => void seen.add(startUs)
    watched = await measureWatch(world.db, phase, fromUs, (activeMs + dayMs) * 1_000, note, bounds)
    if (watched.complete) break
    t.true((watched.goOnFromUs ?? 0) > fromUs, 'it comes forward')
    fromUs = watched.goOnFromUs ?? fromUs
  }
  t.true(watched?.breached)
  t.true(seen.size > 180)
})

test('where one window holds more than can be read, it goes on with the next', async (t) => {
  const seeds = makeExecutions(200, activeMs)
  const phase = await makePhase(seeds, { freshness_s: 86_400 })
  const nowUs = (activeMs + dayMs) * 1_000
  const late = phase.beganUs + 100 * 60_000_000
  const watched = await measureWatch(world.db, phase, late, nowUs, () => undefined, bounds)
  t.false(watched.complete)
  t.is(watched.goOnFromUs, phase.beganUs + 86_400_000_000)
})
