// The prices of workspaces in a decode thread.
import test from 'ava'
import { noUsage } from '../../src/event/event.ts'
import type { PriceBook } from '../../src/pricing/price-book.ts'
import { openPricesByWorkspace, type SharedPrices, sharePrices } from '../../src/pricing/shared-prices.ts'
import type { WorkspacePrice } from '../../src/pricing/workspace-prices.ts'

const table: PriceBook = { priceUsage: () => ({ costUsd: -1, cacheSavingsUsd: null, source: 'table' }) }

const price = (input: number, model = 'm'): WorkspacePrice => ({
  model,
  provider: null,
  input_usd_per_m: input,
  output_usd_per_m: 0,
  cached_usd_per_m: null,
  cache_write_usd_per_m: null,
  valid_from: null,
})
const share = (revision: string, ...prices: WorkspacePrice[]): SharedPrices => sharePrices({ revision, prices })

const costBy = (book: PriceBook, model = 'm'): number | null =>
  book.priceUsage({ provider: null, model, usage: { ...noUsage, inputTokens: 1_000_000 }, startTimeMs: 0 }).costUsd

test('each workspace has its own prices, and one without has the table itself', (t) => {
  const pricesOf = openPricesByWorkspace(table)
  const [a, b] = [share('r1', price(1)), share('r1', price(2))]
  for (let round = 0; round < 3; round += 1) {
    t.is(costBy(pricesOf('a', a)), 1)
    t.is(costBy(pricesOf('b', b)), 2)
    t.is(pricesOf('c', null), table)
  }
})

test('a list is read once for each revision, whichever object holds its bytes', (t) => {
  const pricesOf = openPricesByWorkspace(table)
  const first = pricesOf('a', share('r1', price(1)))
  t.is(pricesOf('a', share('r1', price(9))), first)
  t.is(costBy(pricesOf('a', share('r2', price(2)))), 2)
  t.is(costBy(pricesOf('a', share('r1', price(3)))), 3)
})

test('prices that were removed are forgotten', (t) => {
  const pricesOf = openPricesByWorkspace(table)
  t.is(costBy(pricesOf('a', share('r1', price(1)))), 1)
  t.is(costBy(pricesOf('a', null)), -1)
  t.is(costBy(pricesOf('a', share('r1', price(2)))), 2)
})

test('many workspaces with long lists are each priced by their own', (t) => {
  const pricesOf = openPricesByWorkspace(table)
  const lists = Array.from({ length: 60 }, (_, at) =>
    share('r1', ...Array.from({ length: 500 }, (__, row) => price(at, row === at ? 'm' : `m${row}*x`))),
  )
  for (let round = 0; round < 2; round += 1)
    for (const [at, list] of lists.entries()) t.is(costBy(pricesOf(`w${at}`, list)), at)
})

test('names of any script arrive as they are', (t) => {
  const model = 'mödel-模型-🦙'
  t.is(costBy(openPricesByWorkspace(table)('a', share('r1', price(5, model))), model), 5)
})
