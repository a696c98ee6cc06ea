// A rule that the gate has disabled and that a user sends back to shadow.
import test from 'ava'
import { moveDecision } from '../../src/decisions/move.ts'
import type { EventSeed } from '../_kit/events.ts'
import { useDatabase } from '../_kit/use-database.ts'
import {
  dayMs,
  gate,
  heldOutBy,
  hourMs,
  makeDecision,
  makeEvery,
  minuteMs,
  readServed,
  readShown,
  readTrail,
  type Subject,
  serveSince,
  shadowMs,
  store,
} from './_gated.ts'
import { makeBlocks, makeUnread } from './unread/_unread.ts'

const world = useDatabase()
const { db, query } = world

/** Twenty minutes in which the result of each input changes while the first one could still be served. */
const makeFailing = (fromMs: number): EventSeed[] =>
  makeEvery(2_000, 600, fromMs, (at) => ({
    inputHash: `input ${Math.floor(at / 10)}`,
    contentHash: at % 10 < 6 ? 'same' : 'another',
  }))

const makeRight = (fromMs: number): EventSeed[] => makeEvery(2_000, 600, fromMs)

/** Sets the times at which the rule was disabled and sent back. */
async function sendBack(subject: Subject, disabledMs: number, atMs: number): Promise<void> {
  await moveDecision({ db }, { ...subject, to: 'shadow', actor: 'user' })
  await query('update decisions set disabled_at = $2, shadow_at = $3 where id = $1', [
    subject.decisionId,
    new Date(disabledMs),
    new Date(atMs),
  ])
}

/** Makes a rule that failed in the first hour, continued to fail in the second one, and was sent back at the end of that. */
async function makeSentBack(): Promise<Subject> {
  const subject = await makeDecision(world)
  await store(world, subject, makeFailing(shadowMs))
  await gate(world, subject)
  await sendBack(subject, shadowMs + hourMs, shadowMs + 2 * hourMs)
  await store(world, subject, makeFailing(shadowMs + hourMs))
  return subject
}

test('a rule that failed is proven by executions after a user has returned it to shadow', async (t) => {
  const subject = await makeSentBack()
  t.regex((await readTrail(world, subject)).at(-2)?.reason ?? '', /^failed: /)
  t.like(await gate(world, subject), { moved: null, verdict: 'inconclusive' })
  t.like((await readShown(world, subject)).score, { trials: 0, wrong: 0 })

  const right = makeRight(shadowMs + 3 * hourMs)
  await store(world, subject, right.slice(0, 100))
  t.like(await gate(world, subject), { moved: null, verdict: 'inconclusive' })
  await store(world, subject, right.slice(100))
  t.like(await gate(world, subject), { moved: 'active', verdict: 'pass' })
  t.like((await readShown(world, subject)).score, { wrong: 0 })
  t.like(await readServed(world, subject), { served_freshness_s: 10, proven: true })
})

test('calls from before a user has returned it to shadow are no evidence if its history is read again in parts', async (t) => {
  const subject = await makeSentBack()
  await store(world, subject, makeRight(shadowMs + 1.5 * hourMs))
  await gate(world, subject)
  t.like((await readShown(world, subject)).score, { trials: 0 })
  await query('delete from ladders where workspace_id = $1', [subject.workspaceId])
  let parts = 1
  while (!(await gate(world, subject, undefined, { batch: 600, batches: 1 })).complete) parts += 1
  t.true(parts > 2)
  t.like(await readShown(world, subject), { state: 'shadow' })
  t.like((await readShown(world, subject)).score, { verdict: 'inconclusive', trials: 0 })
})

test('a rule that fails again after a user sent it back is disabled again', async (t) => {
  const subject = await makeSentBack()
  await gate(world, subject)
  await store(world, subject, makeFailing(shadowMs + 3 * hourMs))
  t.like(await gate(world, subject), { moved: 'disabled', verdict: 'fail' })
})

test('the wrong results of an activation do not count in the next one, also before a call has run in that', async (t) => {
  const subject = await makeDecision(world)
  await store(world, subject, makeRight(shadowMs))
  t.is((await gate(world, subject)).moved, 'active')
  await serveSince(world, subject, shadowMs + hourMs)
  await store(world, subject, heldOutBy(subject, makeFailing(shadowMs + hourMs).slice(0, 80)))
  t.is((await gate(world, subject)).moved, 'disabled')
  const ended = (await readTrail(world, subject)).at(-1)
  t.regex(ended?.reason ?? '', /\([1-9]\d* of \d+ wrong\)$/)

  await sendBack(subject, shadowMs + 2 * hourMs, shadowMs + 3 * hourMs)
  await store(world, subject, makeEvery(2_000, 1_200, shadowMs + 4 * hourMs))
  t.is((await gate(world, subject)).moved, 'active')
  t.is((await gate(world, subject)).moved, null)
  const unwatched = { wrong_share: 0, watch: { trials: 0, wrong: 0 } }
  t.like((await readShown(world, subject)).score, unwatched)
  await moveDecision({ db }, { ...subject, to: 'shadow', actor: 'user' })
  t.like((await readTrail(world, subject)).at(-1), { from_state: 'active', measures: { score: unwatched } })
})

test('a suppress_dead rule is also judged by executions after a user has returned it to shadow', async (t) => {
  const subject = await makeUnread(world)
  await store(
    world,
    subject,
    makeBlocks(shadowMs, 40, 1, () => true),
  )
  const disabledMs = shadowMs + dayMs
  t.like(await gate(world, subject, disabledMs), { moved: 'disabled', verdict: 'fail' })
  // Its results continued to be read for half a day.
  await store(
    world,
    subject,
    makeBlocks(disabledMs + hourMs, 70, 1, () => true),
  )
  const sentBackMs = disabledMs + dayMs
  await sendBack(subject, disabledMs, sentBackMs)
  t.like(await gate(world, subject, sentBackMs + minuteMs), { moved: null, verdict: 'inconclusive' })
  await store(world, subject, makeBlocks(sentBackMs + hourMs, 85, 1))
  t.like(await gate(world, subject, sentBackMs + 2 * dayMs), { moved: 'active', verdict: 'pass' })
})
