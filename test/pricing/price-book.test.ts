import { readFileSync } from 'node:fs'
import { calcPrice, findProvider, type ModelInfo, type Provider, waitForUpdate } from '@pydantic/genai-prices'
import test from 'ava'
import { noUsage, type Usage } from '../../src/event/event.ts'
import { costOf } from '../../src/pricing/cost.ts'
import { openPriceBook, priceListVersion } from '../../src/pricing/price-book.ts'
import { compileRates, ratesAt } from '../../src/pricing/rates.ts'
import { makers } from '../../src/pricing/sole-maker.ts'

const small: Usage = { ...noUsage, inputTokens: 1_000, outputTokens: 100 }
const startTimeMs = Date.parse('2026-01-15T12:00:00Z')

const sourceOf = (provider: string | null, model: string | null): string | null =>
  openPriceBook().priceUsage({ provider, model, usage: small, startTimeMs }).source

const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))

test('the version in each source is that of the installed lists', (t) => {
  const url = new URL('../../node_modules/@pydantic/genai-prices/package.json', import.meta.url)
  t.is((JSON.parse(readFileSync(url, 'utf8')) as { version: string }).version, priceListVersion)
})

test('a model is found under each of the names that senders use for it', (t) => {
  const cases: readonly (readonly [string | null, string, string])[] = [
    ['anthropic', 'claude-sonnet-4-5@20250929', 'anthropic/claude-sonnet-4-5'],
    ['openai', 'gpt-4o-2024-08-06', 'openai/gpt-4o'],
    [null, 'anthropic/claude-sonnet-4.5', 'anthropic/claude-sonnet-4-5'],
    [null, 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'aws/regional.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    [
      'bedrock',
      'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'aws/regional.anthropic.claude-sonnet-4-5-20250929-v1:0',
    ],
    [
      null,
      'bedrock/us.anthropic.claude-3-5-haiku-20241022-v1:0',
      'aws/regional.anthropic.claude-3-5-haiku-20241022-v1:0',
    ],
    [null, 'models/gemini-2.5-pro', 'google/gemini-2.5-pro'],
    ['gcp.gemini', 'models/gemini-2.5-pro', 'google/gemini-2.5-pro'],
    ['vertex_ai', 'publishers/google/models/gemini-2.5-pro', 'google/gemini-2.5-pro'],
    ['vertex_ai', 'claude-sonnet-4-5@20250929', 'google/claude-sonnet-4-5'],
    [null, 'azure/gpt-4o', 'azure/gpt-4o'],
    [null, 'openai:gpt-5', 'openai/gpt-5'],
    ['openai', 'ft:gpt-4o-mini-2024-07-18:acme::abc', 'openai/ft:gpt-4o-mini'],
    [null, 'ft:gpt-4o-mini-2024-07-18:acme::abc', 'openai/ft:gpt-4o-mini'],
    [null, 'ft:gpt-4.1-2025-04-14:acme::abc', 'openai/gpt-4.1'],
    ['acme-gateway', 'gpt-4o', 'openai/gpt-4o'],
    ['langchain', 'gpt-4o', 'openai/gpt-4o'],
    ['openai.chat', ' GPT-5 ', 'openai/gpt-5'],
    ['xai', 'grok-4', 'x-ai/grok-4-0709'],
    ['openrouter', 'anthropic/claude-sonnet-4.5', 'openrouter/anthropic/claude-sonnet-4.5'],
  ]
  for (const [provider, model, found] of cases) {
    t.is(sourceOf(provider, model), `genai-prices:${priceListVersion}:${found}`, `${provider} ${model}`)
  }
})

test('a model without a provider is priced where only one maker has it', (t) => {
  const usage: Usage = { ...noUsage, inputTokens: 1e6 }
  const { priceUsage } = openPriceBook()
  for (const provider of [null, 'langchain', 'acme-gateway']) {
    const priced = priceUsage({ provider, model: 'text-embedding-3-small', usage, startTimeMs })
    t.true(near(priced.costUsd ?? -1, 0.02), `${provider}`)
    t.is(priced.source, `genai-prices:${priceListVersion}:openai/text-embedding-3-small`)
  }
  for (const [model, found] of [
    ['text-embedding-ada-002', 'openai/text-embedding-ada-002'],
    ['embed-v4.0', 'cohere/embed-v4.0'],
    ['sonar', 'perplexity/sonar'],
  ] as const) {
    t.is(
      priceUsage({ provider: null, model, usage: { ...usage, outputTokens: 0 }, startTimeMs }).source,
      `genai-prices:${priceListVersion}:${found}`,
    )
  }
  // The list of the named provider lacks it, only a host lists an open model, or the machine is the sender's own.
  for (const [provider, model] of [
    ['anthropic', 'text-embedding-3-small'],
    [null, 'llama-3.1-8b-instruct'],
    ['ollama', 'text-embedding-3-small'],
  ] as const) {
    t.is(priceUsage({ provider, model, usage, startTimeMs }).costUsd, null, `${provider} ${model}`)
  }
})

test("each maker's list is known to the library", (t) => {
  for (const maker of makers) t.is(findProvider({ providerId: maker })?.id, maker)
})

test('an unknown price is null, never 0', (t) => {
  const unpriced = { costUsd: null, cacheSavingsUsd: null, source: null }
  const { priceUsage } = openPriceBook()
  for (const [provider, model] of [
    ['openai', 'acme-large'],
    [null, 'acme-large'],
    ['openai', null],
    ['openai', ''],
    ['openai', 'gpt-5'.padEnd(5_000, '-')],
    ['ollama', 'deepseek-r1:8b'],
    [null, 'ollama/deepseek-r1'],
    ['openai', 'whisper-1'],
    [null, '__proto__'],
  ] as const) {
    t.deepEqual(priceUsage({ provider, model, usage: small, startTimeMs }), unpriced, `${provider} ${model}`)
  }
  t.deepEqual(priceUsage({ provider: 'openai', model: 'gpt-5', usage: noUsage, startTimeMs }), unpriced)
})

test('output of a model without an output price is not priced at 0', (t) => {
  const { priceUsage } = openPriceBook()
  const embedding = { provider: 'openai', model: 'text-embedding-3-small', startTimeMs }
  t.true(near(priceUsage({ ...embedding, usage: { ...noUsage, inputTokens: 1e6 } }).costUsd ?? -1, 0.02))
  t.is(priceUsage({ ...embedding, usage: small }).costUsd, null)
})

test('a model that the list says is free costs 0', (t) => {
  const model = 'deepseek/deepseek-r1:free'
  const { priceUsage } = openPriceBook()
  t.is(priceUsage({ provider: 'openrouter', model, usage: small, startTimeMs }).costUsd, 0)
  t.is(priceUsage({ provider: 'github-copilot', model: 'gpt-4o', usage: small, startTimeMs }).costUsd, null)
})

test('a cached call costs what its parts cost, and saves what caching saved', (t) => {
  const usage = {
    ...noUsage,
    inputTokens: 100_000,
    outputTokens: 1_000,
    cachedTokens: 60_000,
    cacheWriteTokens: 30_000,
  }
  const priced = openPriceBook().priceUsage({ provider: 'anthropic', model: 'claude-sonnet-4-5', usage, startTimeMs })
  t.true(near(priced.costUsd ?? 0, (10_000 * 3 + 60_000 * 0.3 + 30_000 * 3.75 + 1_000 * 15) / 1e6))
  t.true(near(priced.cacheSavingsUsd ?? 0, (60_000 * 2.7 - 30_000 * 0.75) / 1e6))
})

test('cache writes that nothing reads are a loss with its sign, the one-hour part a larger one', (t) => {
  const usage = {
    ...noUsage,
    inputTokens: 50_000,
    outputTokens: 0,
    cacheWriteTokens: 40_000,
    cacheWrite1hTokens: 10_000,
  }
  const priced = openPriceBook().priceUsage({ provider: 'anthropic', model: 'claude-sonnet-4-5', usage, startTimeMs })
  t.true(near(priced.cacheSavingsUsd ?? 0, -(30_000 * 0.75 + 10_000 * 3) / 1e6))
  t.true(near(priced.costUsd ?? 0, (10_000 * 3 + 30_000 * 3.75 + 10_000 * 6) / 1e6))
})

test('savings are null without a cache count, and 0 if caching changed nothing', (t) => {
  const { priceUsage } = openPriceBook()
  const call = { provider: 'openai', model: 'gpt-5', startTimeMs }
  t.is(priceUsage({ ...call, usage: small }).cacheSavingsUsd, null)
  t.is(priceUsage({ ...call, usage: { ...small, cachedTokens: 0 } }).cacheSavingsUsd, 0)
})

test('a long context is priced by its tier as a whole', (t) => {
  const { priceUsage } = openPriceBook()
  const call = { provider: 'google', model: 'gemini-2.5-pro', startTimeMs }
  t.true(near(priceUsage({ ...call, usage: { ...noUsage, inputTokens: 200_000 } }).costUsd ?? 0, 0.25))
  t.true(near(priceUsage({ ...call, usage: { ...noUsage, inputTokens: 200_001 } }).costUsd ?? 0, 200_001 * 2.5e-6))
})

test('the price is that of the start time', (t) => {
  const { priceUsage } = openPriceBook()
  const at = (time: string): number | null =>
    priceUsage({
      provider: 'deepseek',
      model: 'deepseek-v4-flash',
      usage: { ...noUsage, inputTokens: 1e6 },
      startTimeMs: Date.parse(time),
    }).costUsd
  const library = (time: string): number | undefined =>
    calcPrice({ input_tokens: 1e6 }, 'deepseek-v4-flash', { providerId: 'deepseek', timestamp: new Date(time) })
      ?.total_price
  const times = ['2026-01-01T02:00:00Z', '2026-08-20T02:00:00Z', '2026-08-20T12:00:00Z']
  for (const time of times) t.true(near(at(time) ?? -1, library(time) ?? -2), time)
  t.true(new Set(times.map(at)).size > 1)
})

test('a batch or a special service tier is priced at the standard rate and says so', (t) => {
  const { priceUsage } = openPriceBook()
  const call = { provider: 'openai', model: 'gpt-5', usage: small, startTimeMs }
  const standard = priceUsage({ ...call, serviceTier: 'default' })
  t.is(standard.source, `genai-prices:${priceListVersion}:openai/gpt-5`)
  for (const special of [{ batch: true }, { serviceTier: 'priority' }]) {
    t.deepEqual(priceUsage({ ...call, ...special }), { ...standard, source: `${standard.source};standard-rate` })
  }
})

test('absurd and inconsistent counts never give NaN, infinity or a negative cost', (t) => {
  const { priceUsage } = openPriceBook()
  const counts = [null, 0, 1, -5, 9e15, 1e308, Number.NaN, Number.POSITIVE_INFINITY]
  for (const inputTokens of counts)
    for (const outputTokens of counts)
      for (const cachedTokens of counts)
        for (const cacheWriteTokens of counts) {
          const usage = {
            inputTokens,
            outputTokens,
            cachedTokens,
            cacheWriteTokens,
            cacheWrite1hTokens: 7e15,
            reasoningTokens: 3,
          }
          const { costUsd, cacheSavingsUsd } = priceUsage({
            provider: 'anthropic',
            model: 'claude-sonnet-4-5',
            usage,
            startTimeMs,
          })
          if (costUsd === null ? cacheSavingsUsd !== null : !Number.isFinite(costUsd) || costUsd < 0)
            t.fail(`${JSON.stringify(usage)} gave ${costUsd}`)
          if (cacheSavingsUsd !== null && !Number.isFinite(cacheSavingsUsd)) t.fail(JSON.stringify(usage))
        }
  t.pass()
})

test('a cached count larger than the input raises the input', (t) => {
  const { priceUsage } = openPriceBook()
  const call = { provider: 'openai', model: 'gpt-5', startTimeMs }
  const usage = { ...noUsage, inputTokens: 10, cachedTokens: 1_000 }
  t.deepEqual(priceUsage({ ...call, usage }), priceUsage({ ...call, usage: { ...usage, inputTokens: 1_000 } }))
})

const libraryUsage = {
  input_tokens: 250_000,
  output_tokens: 5_000,
  cache_read_tokens: 40_000,
  cache_write_tokens: 30_000,
  cache_write_1h_tokens: 10_000,
  output_reasoning_tokens: 2_000,
}
const sameUsage: Usage = {
  inputTokens: 250_000,
  outputTokens: 5_000,
  cachedTokens: 40_000,
  cacheWriteTokens: 30_000,
  cacheWrite1hTokens: 10_000,
  reasoningTokens: 2_000,
}

const pricedByText = (model: ModelInfo): boolean =>
  (Array.isArray(model.prices) ? model.prices.map((entry) => entry.prices) : [model.prices]).every(
    (prices) => prices['input_mtok'] !== undefined && prices['output_mtok'] !== undefined,
  )

test('over all lists and times the cost is what the library itself calculates', async (t) => {
  const times = ['2024-01-01T00:00:00Z', '2026-09-01T02:00:00Z', '2026-09-01T08:30:00Z', '2026-11-01T20:00:00Z']
  let compared = 0
  const models = ((await waitForUpdate()) ?? []).flatMap((provider: Provider) =>
    provider.models.filter(pricedByText).map((model) => ({ provider, model })),
  )
  for (const { provider, model } of models) {
    const only = { ...provider, models: [{ ...model, match: { equals: 'it' } }] }
    for (const time of times) {
      const expected = calcPrice(libraryUsage, 'it', { provider: only, timestamp: new Date(time) })?.total_price
      const cost = costOf(ratesAt(compileRates(model), Date.parse(time)), sameUsage)?.costUsd
      if (expected === undefined || cost === undefined || !near(cost, expected))
        t.fail(`${provider.id}/${model.id} at ${time}: ${cost}, not ${expected}`)
      compared++
    }
  }
  t.true(compared > 4_000)
})
