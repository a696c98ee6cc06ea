// Which of a workspace's own prices applies to a call, and the resulting cost.
import test, { type ExecutionContext } from 'ava'
import { noUsage, type Usage } from '../../src/event/event.ts'
import { openPriceBook, type PriceQuestion, priceListVersion } from '../../src/pricing/price-book.ts'
import { openWorkspaceBook, type WorkspacePrice } from '../../src/pricing/workspace-prices.ts'

const table = openPriceBook()
const million: Usage = { ...noUsage, inputTokens: 1_000_000 }

type Draft = Partial<WorkspacePrice> & Pick<WorkspacePrice, 'model'>

/** The input price identifies the row. */
const row = (input: number, more: Draft): WorkspacePrice => ({
  provider: null,
  input_usd_per_m: input,
  output_usd_per_m: 0,
  cached_usd_per_m: null,
  cache_write_usd_per_m: null,
  valid_from: null,
  ...more,
})

const priceOf = (prices: readonly WorkspacePrice[], question: Partial<PriceQuestion> = {}) =>
  openWorkspaceBook(table, { revision: 'r1', prices }).priceUsage({
    provider: null,
    model: 'my-llama-7b',
    usage: million,
    startTimeMs: Date.parse('2026-03-10T12:00:00Z'),
    ...question,
  })

/** Returns the input price of the chosen row; checks that the order of the list does not matter. */
function choose(t: ExecutionContext, prices: readonly WorkspacePrice[], question = {}): number | null {
  const { costUsd } = priceOf(prices, question)
  t.is(priceOf(prices.toReversed(), question).costUsd, costUsd)
  return costUsd
}

const sourceOf = (prices: readonly WorkspacePrice[], question = {}): string | null => priceOf(prices, question).source

test('a model that is in no price list has the price of its workspace row, and the source names the row', (t) => {
  const { costUsd, ...rest } = priceOf([{ ...row(0.2, { model: 'my-llama-*' }), output_usd_per_m: 0.8 }], {
    usage: { ...noUsage, inputTokens: 1_000, outputTokens: 500 },
  })
  t.is(Math.round((costUsd ?? 0) * 1e9), 1_000 * (1_000 * 0.2 + 500 * 0.8))
  t.deepEqual(rest, { cacheSavingsUsd: null, source: 'workspace:r1:*/my-llama-*' })
  const dated = row(1, { model: 'My-Llama-7B', provider: 'vllm', valid_from: '2026-03-01T00:00:00.000Z' })
  t.is(sourceOf([dated], { provider: 'vllm' }), 'workspace:r1:vllm/My-Llama-7B@2026-03-01T00:00:00.000Z')
})

test('a row goes before the table, and the table prices what no row is for', (t) => {
  const prices = [row(7, { model: 'gpt-4o-mini' })]
  t.is(priceOf(prices, { provider: 'openai', model: 'gpt-4o-mini' }).costUsd, 7)
  t.deepEqual(
    priceOf(prices, { provider: 'openai', model: 'gpt-4o' }),
    table.priceUsage({ provider: 'openai', model: 'gpt-4o', usage: million, startTimeMs: Date.parse('2026-03-10') }),
  )
  t.is(sourceOf(prices, { provider: 'openai', model: 'gpt-4o' }), `genai-prices:${priceListVersion}:openai/gpt-4o`)
  t.is(sourceOf(prices, { model: 'house-model' }), null)
  t.is(sourceOf(prices, { model: null }), null)
  t.is(sourceOf([row(7, { model: '*' })], { model: 'x'.repeat(257) }), null)
})

test('names are compared without regard to case and blanks around them', (t) => {
  t.is(choose(t, [row(3, { model: ' My-LLAMA-7b ' })], { model: 'my-llama-7B ' }), 3)
})

test('a row with the provider goes before one without, however exact that is', (t) => {
  const prices = [row(1, { model: 'my-llama-7b' }), row(2, { model: '*', provider: 'vllm' })]
  t.is(choose(t, prices, { provider: 'vllm' }), 2)
  t.is(choose(t, prices, { provider: 'ollama' }), 1)
  t.is(choose(t, prices), 1)
  t.is(choose(t, [row(2, { model: '*', provider: 'vllm' })]), null)
})

test('a provider is known under each of its names', (t) => {
  const prices = [row(4, { model: 'gpt-4o', provider: 'Azure-OpenAI' })]
  t.is(choose(t, prices, { provider: 'azure.ai.openai', model: 'gpt-4o' }), 4)
  t.is(choose(t, prices, { provider: 'azure', model: 'gpt-4o' }), 4)
  t.not(choose(t, prices, { provider: 'openai', model: 'gpt-4o' }), 4)
})

test('a name goes before a pattern, and a pattern with more characters other than stars before one with fewer', (t) => {
  const prices = [
    row(1, { model: 'my-llama-7b' }),
    row(2, { model: 'my-llama-7b*' }),
    row(3, { model: '*llama-7b' }),
    row(4, { model: 'my-*-*-*' }),
    row(5, { model: '*' }),
  ]
  for (let at = 0; at < prices.length - 1; at += 1) t.is(choose(t, prices.slice(at)), at === 3 ? 5 : at + 1)
  t.is(choose(t, prices.slice(3), { model: 'my-own-llama-7b' }), 4)
})

test('of patterns of equal length the earlier one applies', (t) => {
  const prices = [row(1, { model: 'my-*' }), row(2, { model: '*-7b' })]
  t.is(priceOf(prices).costUsd, 1)
  t.is(priceOf(prices.toReversed()).costUsd, 2)
})

test('rows with different starts are a history: the latest that has begun applies', (t) => {
  const prices = [
    row(1, { model: 'my-*' }),
    row(2, { model: 'my-*', valid_from: '2026-02-01T00:00:00.000Z' }),
    row(3, { model: 'my-*', valid_from: '2026-03-01T00:00:00.000Z' }),
  ]
  const at = (time: string): number | null => choose(t, prices, { startTimeMs: Date.parse(time) })
  t.is(at('2020-01-01T00:00:00Z'), 1)
  t.is(at('2026-01-31T23:59:59.999Z'), 1)
  t.is(at('2026-02-01T00:00:00.000Z'), 2)
  t.is(at('2026-02-28T23:59:59.999Z'), 2)
  t.is(at('2027-01-01T00:00:00Z'), 3)
})

test('before a row begins the next matching one applies, and before all of them the price list', (t) => {
  const later = '2026-03-11T00:00:00.000Z'
  const prices = [
    row(1, { model: 'gpt-4o', provider: 'openai', valid_from: later }),
    row(2, { model: 'gpt-4o', valid_from: later }),
    row(3, { model: 'gpt-*' }),
  ]
  const question = { provider: 'openai', model: 'gpt-4o' }
  t.is(choose(t, prices, question), 3)
  t.is(choose(t, prices, { ...question, startTimeMs: Date.parse(later) }), 1)
  t.regex(sourceOf(prices.slice(0, 2), question) ?? '', /^genai-prices:/)
})

const cached: Usage = {
  ...noUsage,
  inputTokens: 1_000,
  cachedTokens: 600,
  cacheWriteTokens: 300,
  cacheWrite1hTokens: 100,
}

test('cached and written tokens have their own prices, and what caching saved goes by them', (t) => {
  const prices = [{ ...row(10, { model: 'my-llama-7b' }), cached_usd_per_m: 1, cache_write_usd_per_m: 12 }]
  const { costUsd, cacheSavingsUsd } = priceOf(prices, { usage: cached })
  t.is(Math.round((costUsd ?? 0) * 1e9), 1_000 * (100 * 10 + 600 * 1 + 300 * 12))
  t.is(Math.round((cacheSavingsUsd ?? 0) * 1e9), 1_000 * (600 * 9 - 300 * 2))
})

test('without prices of their own, cached and written tokens cost what input costs', (t) => {
  const { costUsd, cacheSavingsUsd } = priceOf([row(10, { model: 'my-llama-7b' })], { usage: cached })
  t.is(Math.round((costUsd ?? 0) * 1e9), 1_000 * 10 * 1_000)
  t.is(Math.round((cacheSavingsUsd ?? 1) * 1e9), 0)
})

test('a price of 0 is free, and a call without an input count is unpriced and not asked of the table', (t) => {
  t.deepEqual(priceOf([row(0, { model: '*' })]), {
    costUsd: 0,
    cacheSavingsUsd: null,
    source: 'workspace:r1:*/*',
  })
  t.deepEqual(priceOf([row(1, { model: '*' })], { usage: { ...noUsage, outputTokens: 5 } }), {
    costUsd: null,
    cacheSavingsUsd: null,
    source: null,
  })
})

test('a batch call is priced by the same row, and the source says that this is the standard rate', (t) => {
  t.is(sourceOf([row(1, { model: '*' })], { batch: true }), 'workspace:r1:*/*;standard-rate')
})

test('the cached price of a model is right for each provider and start time', (t) => {
  const prices = [
    row(1, { model: 'm*', provider: 'vllm', valid_from: '2026-03-11T00:00:00.000Z' }),
    row(2, { model: 'm*' }),
  ]
  const book = openWorkspaceBook(table, { revision: 'r1', prices })
  const ask = (provider: string, time: string): number | null =>
    book.priceUsage({ provider, model: 'm1', usage: million, startTimeMs: Date.parse(time) }).costUsd
  for (let round = 0; round < 2; round += 1) {
    t.is(ask('vllm', '2026-03-12T00:00:00Z'), 1)
    t.is(ask('vllm', '2026-03-10T00:00:00Z'), 2)
    t.is(ask('ollama', '2026-03-12T00:00:00Z'), 2)
    // More models than the cache holds.
    for (let other = 0; other < 200; other += 1)
      book.priceUsage({ provider: null, model: `m${other}`, usage: million, startTimeMs: 0 })
  }
})

test('a row may name the provider before the model, which events name without it', (t) => {
  const call = { provider: 'anthropic', model: 'claude-sonnet-4-5' }
  for (const model of ['anthropic/claude-sonnet-4-5', 'anthropic/claude-*', 'Anthropic/*'])
    t.is(choose(t, [row(7, { model })], call), 7, model)
  t.not(choose(t, [row(7, { model: 'anthropic/*' })], { provider: 'openai', model: 'gpt-4o' }), 7)
  t.not(choose(t, [row(7, { model: 'openai/claude-*' })], call), 7)
  t.is(choose(t, [row(7, { model: 'meta-llama/*' })], { provider: 'together', model: 'meta-llama/llama-3' }), 7)
})
