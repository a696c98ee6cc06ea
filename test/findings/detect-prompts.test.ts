// Findings about prompts: the same large input without a cache, and contexts that only grow.
import test from 'ava'
import { contextGrowth } from '../../src/findings/detect/context-growth.ts'
import { missedPromptCache } from '../../src/findings/detect/missed-prompt-cache.ts'
import { agentIdOf, hexId } from '../_kit/events.ts'
import { type Draft, dayMs, hourMs, type Looks, minuteMs, nowMs, openLooks, repeat } from './_look.ts'

let looks: Looks
test.before(async () => {
  looks = await openLooks()
})
test.after.always(async () => await looks.db.stop())

const lastMs = nowMs - hourMs
const turn = {
  kind: 'llm',
  model: 'claude-sonnet-4-5',
  agent: 'coder',
  session: 'one',
  input: 10_000,
  cached: 0,
} as const

/** Makes the agent known for more than a day. */
const longKnown: Draft = { kind: 'tool', agent: 'coder', atMs: nowMs - 2 * dayMs }

test('a large input that is repeated within minutes without a cache is a finding, priced at the saving of a cache', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, [longKnown, ...repeat(21, lastMs, 2 * minuteMs, turn)])
  await looks.look(workspace, { detector: missedPromptCache })
  const [finding, ...others] = await looks.list(workspace)
  t.is(others.length, 0)
  t.like(finding, {
    type: 'missed_prompt_cache',
    severity: 'warning',
    agent_id: agentIdOf(workspace, 'coder'),
    model: 'claude-sonnet-4-5',
    occurrences: 20,
  })
  t.like(finding?.evidence, { calls_that_repeat: 20, calls_without_cache: 20, mean_repeated_tokens: 10_000 })
  // $3.00 a million without a cache, $0.30 from one: $0.027 a call, twenty calls a day.
  t.true(Math.abs((finding?.est_monthly_cost_usd ?? 0) - 0.027 * 20 * 30) < 1e-6)
  await looks.look(workspace, { detector: missedPromptCache, nowMs: nowMs + dayMs })
  t.is((await looks.list(workspace))[0]?.status, 'resolved')
})

test('the cost of the first write to the cache is subtracted', async (t) => {
  const workspace = await looks.makeWorkspace()
  // Alternating conversations, so that each call follows one with half its input.
  const drafts = Array.from({ length: 25 }, (_, at) => [
    { ...turn, session: `${at}`, input: 5_000, atMs: lastMs - at * minuteMs },
    { ...turn, session: `${at}`, atMs: lastMs - at * minuteMs + 1_000 },
  ])
  await looks.store(workspace, drafts.flat())
  await looks.look(workspace, { detector: missedPromptCache })
  const price = (await looks.list(workspace))[0]?.evidence['price'] as { saved_per_call_usd: number }
  // 5,000 tokens save $2.70 a million, 5,000 cost $0.75 more.
  t.true(Math.abs(price.saved_per_call_usd - 5_000 * 1.95e-6) < 1e-9)
})

test('nineteen calls, small, shrinking, cached or slow ones, and other conversations miss no cache', async (t) => {
  const workspace = await looks.makeWorkspace()
  const other = (model: string, more: Partial<Draft> = {}): Draft[] =>
    repeat(40, lastMs, minuteMs, { ...turn, model, ...more })
  await looks.store(workspace, [
    ...repeat(20, lastMs, minuteMs, turn),
    ...other('small', { input: 2_047 }),
    ...other('shrinking').map((each, at) => ({ ...each, input: 90_000 - at })),
    ...other('cached').map((each, at) => ({ ...each, cached: at % 5 === 0 ? 9_000 : 0 })),
    ...repeat(40, lastMs, 6 * minuteMs, { ...turn, model: 'slow' }),
    ...other('apart').map((each, at) => ({ ...each, session: `${at}` })),
    ...other('told twice', { counted: false }),
  ])
  await looks.look(workspace, { detector: missedPromptCache })
  t.deepEqual(await looks.list(workspace), [])
})

test('if spans do not report cached tokens, the finding says so and has the severity info', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, repeat(400, lastMs, 10_000, { ...turn, cached: null }))
  await looks.look(workspace, { detector: missedPromptCache })
  const [finding] = await looks.list(workspace)
  t.is(finding?.severity, 'info')
  t.regex(finding?.detail ?? '', /do not report cached tokens at all/)
})

test('an unknown model is a finding without a price', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, repeat(21, lastMs, minuteMs, { ...turn, model: 'house-model' }))
  await looks.look(workspace, { detector: missedPromptCache })
  t.is((await looks.list(workspace))[0]?.est_monthly_cost_usd, null)
})

let talks = 0

/** Conversations whose input grows by the same step each turn. */
function talk(conversations: number, turns: number, first: number, step: number, more: Partial<Draft> = {}): Draft[] {
  return Array.from({ length: conversations }, () => {
    const trace = hexId(3_000_000 + (talks += 100), 32)
    return repeat(turns, lastMs, minuteMs, { ...turn, session: null, trace, ...more }).map((each, at) => ({
      ...each,
      input: first + at * step,
    }))
  }).flat()
}

test('three conversations whose input grows with each turn beyond 32,000 tokens are a finding, priced at the cost of the excess', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, [longKnown, ...talk(3, 6, 2_000, 10_000)])
  await looks.look(workspace, { detector: contextGrowth })
  const [finding, ...others] = await looks.list(workspace)
  t.is(others.length, 0)
  t.like(finding, { type: 'context_growth', agent_id: agentIdOf(workspace, 'coder'), occurrences: 3 })
  t.like(finding?.evidence, {
    largest_input_tokens: 52_000,
    mean_first_input_tokens: 2_000,
    mean_turns: 6,
    large_calls: 9,
  })
  // Calls of 32,000, 42,000 and 52,000 in each: 10,000 tokens too many on average, at $3.00 a million.
  t.true(Math.abs((finding?.est_monthly_cost_usd ?? 0) - 0.03 * 9 * 30) < 1e-6)
  await looks.look(workspace, { detector: contextGrowth, nowMs: nowMs + dayMs })
  t.is((await looks.list(workspace))[0]?.status, 'resolved')
})

test('two conversations, short ones, small ones, and ones that do not grow threefold or up and down are no growth', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, [
    ...talk(2, 6, 2_000, 10_000),
    ...talk(9, 5, 2_000, 10_000, { model: 'short' }),
    ...talk(9, 6, 1_000, 6_000, { model: 'small' }),
    ...talk(9, 6, 30_000, 10_000, { model: 'large from the start' }),
    ...talk(9, 8, 2_000, 10_000, { model: 'up and down' }).map((each, at) =>
      at % 3 === 0 ? { ...each, input: 2_000 } : each,
    ),
  ])
  await looks.look(workspace, { detector: contextGrowth })
  t.deepEqual(await looks.list(workspace), [])
})
