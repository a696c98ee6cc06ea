// The cost of loops of failures if several loops of one tool run at the same time.
import test from 'ava'
import { retryLoop } from '../../src/findings/detect/retry-loop.ts'
import { hexId } from '../_kit/events.ts'
import { type Draft, hourMs, type Looks, minuteMs, nowMs, openLooks } from './_look.ts'

let looks: Looks
test.before(async () => {
  looks = await openLooks()
})
test.after.always(async () => await looks.db.stop())

const trace = hexId(91, 32)
const atMs = nowMs - hourMs
const failing = { kind: 'tool', tool: 'search', agent: 'coder', status: 'error', trace } as const
const model = { kind: 'llm', model: 'gpt-4o', agent: 'coder', costUsd: 1, trace } as const

/** A model that requests two searches at once, three times: all of them fail. */
const rounds: Draft[] = [0, 1, 2].flatMap((round) => {
  const roundMs = atMs + round * minuteMs
  return [
    { ...model, atMs: roundMs },
    { ...failing, inputHash: 'one', atMs: roundMs + 1_000 },
    { ...failing, inputHash: 'other', atMs: roundMs + 1_000 },
  ]
})

test('a model call between the failures of two loops is paid for once', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, rounds)
  await looks.look(workspace, { detector: retryLoop })
  const [finding] = await looks.list(workspace)
  t.like(finding, { type: 'retry_loop', occurrences: 2 })
  // The first call comes before the first failure.
  t.like(finding?.evidence['price'], { seen_usd: 2, known_usd: 2, loops_looked_at: 2, loops_with_a_price: 2 })
})
