// Rules that a user activated without a proof: what they serve, how they are reported, and what ends them.
import test from 'ava'
import { advanceLadder, keepLadder, type LadderSubject } from '../../src/decisions/ladder/advance-ladder.ts'
import { moveDecision } from '../../src/decisions/move.ts'
import type { EventSeed } from '../_kit/events.ts'
import { useDatabase } from '../_kit/use-database.ts'
import {
  activeMs,
  gate,
  heldOutBy,
  hourMs,
  makeDecision,
  makeEvery,
  makeExecution,
  readServed,
  readShown,
  readTrail,
  readVersion,
  store,
  untilSeen,
} from './_gated.ts'

const world = useDatabase()
const { db } = world

const forced = { state: 'active', isForced: true, config: { freshness_s: 60 } } as const
const laterMs = activeMs + hourMs

/** Results of four inputs that change every twenty calls. */
const makeDrifting = (fromMs: number, count = 300): EventSeed[] =>
  makeEvery(1_000, count, fromMs, (at) => ({
    inputHash: `input ${at % 4}`,
    contentHash: `content ${Math.floor(at / 20)}`,
  }))

test('it serves at the age that is configured from the second equal result on, and is never called proven', async (t) => {
  const subject = await makeDecision(world, forced)
  await store(world, subject, [makeExecution(activeMs), makeExecution(activeMs, { inputHash: 'other' })])
  await gate(world, subject, laterMs)
  t.like(await readServed(world, subject), { inputs: [], served_freshness_s: 60, proven: false, forced: true })
  const version = await readVersion(world, subject)
  await store(world, subject, [
    makeExecution(activeMs + 20_000),
    makeExecution(activeMs + 20_000, { inputHash: 'other', contentHash: 'changed' }),
  ])
  t.like(await gate(world, subject, laterMs), { moved: null, touchesRules: true })
  t.like(await readServed(world, subject), { inputs: ['a'], served_freshness_s: 60, proven: false, forced: true })
  t.is(await readVersion(world, subject), version + 1)
  t.like((await readShown(world, subject)).score, { proven: false, forced: true, freshness_s: 60, inputs: 1 })
})

test('it is proven once the gate has proven it', async (t) => {
  const subject = await makeDecision(world, forced)
  await store(world, subject, heldOutBy(subject, makeEvery(5_000, 1_500, activeMs)))
  t.is((await gate(world, subject, activeMs + 3 * hourMs)).moved, null)
  t.like(await readServed(world, subject), { served_freshness_s: 60, proven: true })
})

test('the watch ends it: it goes back to shadow, serves nothing, and its trail says why', async (t) => {
  const subject = await makeDecision(world, forced)
  await store(
    world,
    subject,
    makeEvery(1_000, 40, activeMs, (at) => ({ inputHash: `input ${at % 4}` })),
  )
  await gate(world, subject, laterMs)
  t.is((await readServed(world, subject)).inputs?.length, 4)
  await store(world, subject, heldOutBy(subject, makeDrifting(activeMs + 40_000)))
  t.like(await gate(world, subject, laterMs), { moved: 'shadow', touchesRules: true })
  t.deepEqual(await readServed(world, subject), {
    inputs: null,
    served_freshness_s: null,
    proven: false,
    forced: false,
    is_doubted: (await readServed(world, subject)).is_doubted,
  })
  const last = (await readTrail(world, subject)).at(-1)
  t.like(last, { from_state: 'active', to_state: 'shadow', actor: 'gate' })
  t.regex(last?.reason ?? '', /^activated by force, and moved back to shadow: .*1 minute/)
  // From then on it is in shadow like any other decision.
  await gate(world, subject, laterMs)
  t.like((await readShown(world, subject)).score, { forced: false, proven: false })
})

test('executions before the activation do not end it', async (t) => {
  const subject = await makeDecision(world, forced)
  await store(world, subject, makeDrifting(activeMs - 2 * hourMs, 3_000))
  await store(
    world,
    subject,
    makeEvery(1_000, 40, activeMs, (at) => ({ inputHash: `input ${at % 4}` })),
  )
  t.is((await gate(world, subject, laterMs)).moved, null)
  t.like(await readServed(world, subject), { served_freshness_s: 60, forced: true })
  t.is((await readServed(world, subject)).inputs?.length, 4)
})

test('a breach in a replay that is not complete yet is not forgotten', async (t) => {
  const subject = await makeDecision(world, forced)
  await store(world, subject, [
    ...makeEvery(1_000, 40, activeMs, (at) => ({ inputHash: `input ${at % 4}` })),
    ...heldOutBy(subject, makeDrifting(activeMs + 40_000)),
  ])
  await untilSeen(world, subject.workspaceId)
  const { workspaceId, decisionId } = subject
  const of: LadderSubject = { workspaceId, toolName: 'search', toolVersion: null, agentId: null, inputHash: null }
  const settings = { floor: 0.95, alpha: 0.05, holdoutRate: 0.05, maxFreshnessS: 60 }
  const options = {
    settings,
    forcedFreshnessS: 60,
    servingSinceUs: activeMs * 1_000,
    decisionId,
    bounds: { batch: 50, batches: 1 },
  }
  const looks: boolean[] = []
  while (looks.length < 7 && looks.at(-1) !== true) {
    await db.tx(async (tx) => {
      const advanced = await advanceLadder(tx, of, options)
      await keepLadder(tx, of, advanced)
      t.false(advanced.complete)
      looks.push(advanced.forceEnded)
    })
  }
  t.true(looks.at(-1))
  t.true(looks.length > 1, 'not at once')
})

test('a rule that a user forced and moved back to shadow is no longer forced', async (t) => {
  const subject = await makeDecision(world, forced)
  await store(world, subject, makeEvery(1_000, 40, activeMs))
  await gate(world, subject, laterMs)
  await moveDecision({ db }, { ...subject, to: 'shadow', actor: 'user' })
  t.is((await gate(world, subject, laterMs)).moved, null)
  t.like(await readServed(world, subject), { inputs: [], served_freshness_s: null, proven: false, forced: false })
})
