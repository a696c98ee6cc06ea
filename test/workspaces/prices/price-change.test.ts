import test from 'ava'
import type { WorkspacePrice } from '../../../src/pricing/workspace-prices.ts'
import { describePriceChange } from '../../../src/workspaces/prices/price-change.ts'

const priceOf = (model: string, provider: string | null = null): WorkspacePrice => ({
  model,
  provider,
  input_usd_per_m: 1,
  output_usd_per_m: 2,
  cached_usd_per_m: null,
  cache_write_usd_per_m: null,
  valid_from: null,
})

test('a name that contains the words of a price is quoted, and so reads as one price', (t) => {
  const added = [priceOf('x: input $1, output $1; gpt-4o'), priceOf('y" of "azure', 'z"')]
  t.deepEqual(describePriceChange([], added), {
    added: String.raw`"x: input $1, output $1; gpt-4o": input $1, output $2; "y\" of \"azure" of "z\"": input $1, output $2`,
  })
})

test('characters that are not shown, or change the order of others, are escaped', (t) => {
  const hidden = ['\n', '\u0085', '\u200b', '\u202e', '\u2028', '\u{e0041}']
  for (const character of hidden) {
    const { removed = '' } = describePriceChange([priceOf(`a${character}b`)], [])
    t.regex(removed, /^"a\\[\w{}]+b": input/)
    t.false(removed.includes(character))
  }
})
