// Estimates of findings in a workspace that has set its own prices.
import test from 'ava'
import { contextGrowth } from '../../src/findings/detect/context-growth.ts'
import { missedPromptCache } from '../../src/findings/detect/missed-prompt-cache.ts'
import { hexId } from '../_kit/events.ts'
import { type Draft, dayMs, hourMs, type Looks, minuteMs, nowMs, openLooks, repeat } from './_look.ts'

let looks: Looks
test.before(async () => {
  looks = await openLooks()
})
test.after.always(async () => await looks.db.stop())

const lastMs = nowMs - hourMs
/** Its provider is openai. */
const call = { kind: 'llm', model: 'my-llama-7b', agent: 'coder', cached: 0 } as const
/** Makes the agent known for more than a day. */
const longKnown: Draft = { kind: 'tool', agent: 'coder', atMs: nowMs - 2 * dayMs }

async function setPrices(workspaceId: string, prices: object[]): Promise<void> {
  const whole = prices.map((price) => ({
    provider: null,
    cached_usd_per_m: null,
    cache_write_usd_per_m: null,
    valid_from: null,
    ...price,
  }))
  await looks.db.db.run('workspaces/put-prices', [workspaceId, 'revision', JSON.stringify(whole)])
}

const estimate = async (workspaceId: string): Promise<number | null | undefined> =>
  (await looks.list(workspaceId))[0]?.est_monthly_cost_usd

const near = (actual: number | null | undefined, expected: number): boolean => Math.abs((actual ?? 0) - expected) < 1e-6

test('a missed cache is estimated at the price of cached input that the workspace has set', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, [
    longKnown,
    ...repeat(21, lastMs, 2 * minuteMs, { ...call, session: 'one', input: 10_000 }),
  ])
  const look = async () => await looks.look(workspace, { detector: missedPromptCache })
  await look()
  t.is(await estimate(workspace), null)
  await setPrices(workspace, [{ model: 'my-*', input_usd_per_m: 5, output_usd_per_m: 5, cached_usd_per_m: 1 }])
  await look()
  t.true(near(await estimate(workspace), 0.04 * 20 * 30))
  // Without a separate price, cached input costs the same, so nothing can be saved.
  await setPrices(workspace, [{ model: 'my-*', input_usd_per_m: 5, output_usd_per_m: 5 }])
  await look()
  t.is(await estimate(workspace), null)
  // These prices are for another provider and for another workspace.
  await setPrices(workspace, [
    { model: 'my-*', provider: 'vllm', input_usd_per_m: 5, output_usd_per_m: 5, cached_usd_per_m: 1 },
  ])
  await setPrices(await looks.makeWorkspace(), [
    { model: '*', input_usd_per_m: 5, output_usd_per_m: 5, cached_usd_per_m: 1 },
  ])
  await look()
  t.is(await estimate(workspace), null)
})

test('a context that grows is estimated at the price of input that the workspace has set', async (t) => {
  const workspace = await looks.makeWorkspace()
  const talks = [1, 2, 3].flatMap((talk) =>
    repeat(6, lastMs, minuteMs, { ...call, trace: hexId(7_000_000 + talk, 32) }).map((each, at) => ({
      ...each,
      input: 2_000 + at * 10_000,
    })),
  )
  await looks.store(workspace, [longKnown, ...talks])
  await setPrices(workspace, [{ model: 'my-llama-7b', provider: 'openai', input_usd_per_m: 5, output_usd_per_m: 5 }])
  await looks.look(workspace, { detector: contextGrowth })
  // Calls of 32,000, 42,000 and 52,000 in each: 10,000 tokens too many on average.
  t.true(near(await estimate(workspace), 0.05 * 9 * 30))
})
