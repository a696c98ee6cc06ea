// Sessions that use a result long after they got it: a proof must not rest on sessions that were judged too early.
import test from 'ava'
import type { EventSeed } from '../../_kit/events.ts'
import { useDatabase } from '../../_kit/use-database.ts'
import { gate, hourMs, makeExecution, minuteMs, readShown, type Subject, shadowMs, store } from '../_gated.ts'
import { blockMs, makeSession, makeUnread } from './_unread.ts'

const world = useDatabase()

const lookMs = 30 * minuteMs

/** One session in each block; if it uses the result, it does so in another trace an hour later. */
function makeChats(blocks: number, usesResult: (block: number) => boolean): EventSeed[] {
  return Array.from({ length: blocks }, (_, block) => {
    const session = `chat ${block}`
    const first = makeSession(shadowMs + block * blockMs, false, { session })
    const callId = first[0]?.callId ?? ''
    const later = makeExecution(shadowMs + block * blockMs + hourMs, { kind: 'llm', session, callId: null })
    return usesResult(block)
      ? [...first, { ...later, tool: null, inputHash: null, attested: false, consumed: [callId], read: [callId] }]
      : first
  }).flat()
}

/** Runs the gate every half hour on the executions that have arrived by then. */
async function watch(subject: Subject, seeds: readonly EventSeed[], untilMs: number): Promise<string> {
  for (let fromMs = shadowMs; fromMs < untilMs; fromMs += lookMs) {
    const isNew = ({ start }: EventSeed): boolean => Date.parse(start) >= fromMs && Date.parse(start) < fromMs + lookMs
    await store(world, subject, seeds.filter(isNew))
    await gate(world, subject, fromMs + lookMs)
    const { state } = await readShown(world, subject)
    if (state !== 'shadow') return state
  }
  return 'shadow'
}

test('a tool whose results every session uses an hour later is not activated', async (t) => {
  const subject = await makeUnread(world)
  t.not(
    await watch(
      subject,
      makeChats(120, () => true),
      shadowMs + 22 * hourMs,
    ),
    'active',
  )
})

test('a tool whose results no session uses is activated in less than a day', async (t) => {
  const subject = await makeUnread(world)
  t.is(
    await watch(
      subject,
      makeChats(120, () => false),
      shadowMs + 18 * hourMs,
    ),
    'active',
  )
})
