import test from 'ava'
import { ApiFault } from '../../src/api/fault.ts'
import { emptyDraft, faultOfRow, isComplete, toDraft, toPrice } from '../../src/pages/settings/price-form.ts'
import { moveTo } from '../../src/pages/settings/price-place.ts'
import { listPrices, matchesModel, type Price, previewPrice } from '../../src/pages/settings/price-preview.ts'

const price = (model: string, more: Partial<Price> = {}): Price => ({
  model,
  provider: null,
  input_usd_per_m: 2,
  output_usd_per_m: 10,
  cached_usd_per_m: null,
  cache_write_usd_per_m: null,
  valid_from: null,
  ...more,
})

const nowMs = Date.parse('2026-11-20T00:00:00Z')

const use = (key: string) => ({
  key,
  label: key,
  llm_calls: 3,
  input_tokens: 1_000_000,
  output_tokens: 100_000,
  cached_tokens: 400_000,
  cost_usd: 1,
  unpriced_calls: 0,
})

test('a pattern matches as the service matches it', (t) => {
  for (const [pattern, model, isMatch] of [
    ['gpt-4o', 'GPT-4o', true],
    ['gpt-4o', 'gpt-4o-mini', false],
    ['gpt-4o*', 'gpt-4o-mini', true],
    ['*mini', 'gpt-4o-mini', true],
    ['g*4*mini', 'gpt-4o-mini', true],
    ['a*a', 'a', false],
    ['*', 'anything', true],
    ['g.t*', 'gpt', false],
    [`${'*a'.repeat(100)}b`, 'a'.repeat(256), false],
  ] as const) {
    t.is(matchesModel(pattern, model), isMatch, `${pattern} and ${model}`)
  }
})

test('a row with a provider takes precedence over one without, a name over a pattern, a longer pattern over a shorter one, and a later start over an earlier one', (t) => {
  const rows = [
    price('*'),
    price('gpt-*'),
    price('gpt-4o'),
    price('gpt-4o', { valid_from: '2026-01-01T00:00:00.000Z' }),
    price('gpt-*', { provider: 'azure' }),
    price('claude-*'),
  ]
  t.deepEqual(
    listPrices(rows, 'gpt-4o', nowMs).map((row) => rows.indexOf(row)),
    [4, 3, 2, 1, 0],
  )
})

test('what a price would have cost counts cached input at its own price, or at that of input', (t) => {
  const [plain, cheap] = [price('m'), price('m', { cached_usd_per_m: 0.5 })]
  t.like(previewPrice(plain, [plain], [use('m'), use('n')], nowMs), [{ costUsd: 3 }])
  t.is(previewPrice(plain, [plain], [use('m'), use('n')], nowMs).length, 1)
  t.like(previewPrice(cheap, [cheap], [use('m')], nowMs)[0], { costUsd: 2.4, note: null })
  const uncached = { ...use('m'), cached_tokens: 0 }
  t.regex(previewPrice(plain, [plain], [use('m')], nowMs)[0]?.note ?? '', /“Cached input” is empty/)
  t.is(previewPrice(plain, [plain], [uncached], nowMs)[0]?.note, null)
})

test('a cost that cannot be computed is described as unknown, not estimated', (t) => {
  const ofAzure = price('m', { provider: 'azure' })
  t.like(previewPrice(ofAzure, [ofAzure], [use('m')], nowMs)[0], { costUsd: null })
  t.regex(previewPrice(ofAzure, [ofAzure], [use('m')], nowMs)[0]?.note ?? '', /azure/)
  const [glob, name] = [price('m*'), price('m')]
  t.like(previewPrice(glob, [glob, name], [use('m')], nowMs)[0], { costUsd: null, note: '“m” takes precedence' })
  const written = price('m', { cached_usd_per_m: 2, cache_write_usd_per_m: 4 })
  t.like(previewPrice(written, [written], [use('m')], nowMs)[0], {
    costUsd: 3,
    note: 'cache writes at the price of input',
  })
})

test('a price that begins later does not change the effect of a current one', (t) => {
  const [now, later] = [price('m'), price('m', { valid_from: '2027-01-01T00:00:00Z', input_usd_per_m: 4 })]
  const rows = [later, now]
  t.deepEqual(listPrices(rows, 'm', nowMs), [now])
  t.deepEqual(listPrices(rows, 'm', Date.parse('2027-01-01T00:00:00Z')), [later, now])
  t.is(previewPrice(now, rows, [use('m')], nowMs)[0]?.costUsd, 3)
  t.is(previewPrice(later, rows, [use('m')], nowMs)[0]?.costUsd, 5)
  const glob = price('*', { valid_from: '2027-02-01T00:00:00Z' })
  t.like(previewPrice(glob, [...rows, glob], [use('m')], nowMs)[0], { costUsd: null, note: '“m” takes precedence' })
  const exact = price('m', { valid_from: '2027-03-01T00:00:00Z' })
  t.is(previewPrice(glob, [glob, exact], [use('m')], nowMs)[0]?.costUsd, 3)
})

test('a price is read from its form as it was filled in', (t) => {
  const whole = price('m*', {
    provider: 'vllm',
    cached_usd_per_m: 0,
    cache_write_usd_per_m: 1e-7,
    valid_from: '2026-10-01T12:30:00Z',
  })
  t.deepEqual(toPrice(toDraft(whole)), whole)
  t.deepEqual(toPrice(toDraft(price('m'))), price('m'))
  // A browser omits seconds that are 0.
  t.is(toPrice({ ...emptyDraft, from: '2026-10-01T12:30' }).valid_from, '2026-10-01T12:30:00Z')
  t.true(isComplete(price('m')))
  t.false(isComplete(toPrice({ ...emptyDraft, model: 'm', input: '1' })))
})

test('an error is shown at the field of its row, and an error about the whole row at its model', (t) => {
  const fields = [
    { loc: ['body', 1, 'output_usd_per_m'], msg: 'not a number' },
    { loc: ['body', 2], msg: 'twice' },
  ]
  const fault = new ApiFault({ status: 422, detail: '', requestId: null, retryAfterS: null, fields })
  t.is(faultOfRow(1)(fault, 'output_usd_per_m'), 'not a number')
  t.is(faultOfRow(1)(fault, 'model'), null)
  t.is(faultOfRow(2)(fault, 'model'), 'twice')
  t.is(faultOfRow(2)(null, 'model'), null)
})

test('no price applies to calls without a model', (t) => {
  const any = price('*')
  t.deepEqual(
    previewPrice(any, [any], [use('m'), use('unknown'), use('other')], nowMs).map(({ model }) => model.key),
    ['m'],
  )
})

test('a row is found in a list that was read later, and a change by another person is described', (t) => {
  const [first, second] = [price('first'), price('second')]
  const opened = { prices: [first, second], etag: 'opened' }
  const list = { prices: [price('new'), { ...second }], etag: 'latest' }
  t.deepEqual(moveTo(list, { list: opened, at: 1 }), { place: { list, at: 1 }, fate: 'kept' })
  t.deepEqual(moveTo({ ...list, prices: [second] }, { list: opened, at: 1 }).place.at, 0)
  // A row that is gone is saved as a new one.
  t.deepEqual(moveTo(list, { list: opened, at: 0 }), { place: { list, at: 2 }, fate: 'removed' })
  const dearer = { ...list, prices: [price('new'), { ...first, input_usd_per_m: 9 }] }
  t.deepEqual(moveTo(dearer, { list: opened, at: 0 }), { place: { list: dearer, at: 1 }, fate: 'changed' })
  // A new row comes after all others.
  t.deepEqual(moveTo({ ...list, prices: [] }, { list: opened, at: 2 }).place.at, 0)
})
