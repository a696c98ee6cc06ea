// What a change of the prices of a workspace did, in words for the audit log. Names of models are free text: they are quoted, so that no name
// reads as another price.
import { identityOfPrice, type WorkspacePrice } from '../../pricing/workspace-prices.ts'

/** The log names so many prices of each kind; the others are counted. */
const maxNamed = 5

const amounts = [
  ['input', 'input_usd_per_m'],
  ['output', 'output_usd_per_m'],
  ['cached', 'cached_usd_per_m'],
  ['cache write', 'cache_write_usd_per_m'],
] as const

const showUsd = (usd: number | null): string => (usd === null ? 'as input' : `$${usd}`)

/** Quotes a name as JSON does, with all characters escaped that are not shown or change the order of others. */
const quote = (name: string): string =>
  JSON.stringify(name).replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )

const namePrice = ({ model, provider, valid_from: from }: WorkspacePrice): string =>
  `${quote(model)}${provider === null ? '' : ` of ${quote(provider)}`}${from === null ? '' : ` from ${from}`}`

const showPrice = (price: WorkspacePrice): string =>
  `${namePrice(price)}: ${amounts
    .filter(([, name]) => price[name] !== null)
    .map(([label, name]) => `${label} ${showUsd(price[name])}`)
    .join(', ')}`

const showChange = (before: WorkspacePrice, after: WorkspacePrice): string =>
  `${namePrice(after)}: ${amounts
    .filter(([, name]) => before[name] !== after[name])
    .map(([label, name]) => `${label} ${showUsd(before[name])} → ${showUsd(after[name])}`)
    .join(', ')}`

function join(texts: readonly string[]): string {
  const others = texts.length - maxNamed
  return [...texts.slice(0, maxNamed), ...(others > 0 ? [`${others} more`] : [])].join('; ')
}

/** Returns the added, changed and removed prices, each with its amounts in USD per million tokens. Kinds without a price are left out. */
export function describePriceChange(
  before: readonly WorkspacePrice[],
  after: readonly WorkspacePrice[],
): Readonly<Record<string, string>> {
  const old = new Map(before.map((price) => [identityOfPrice(price), price]))
  const kept = new Set(after.map(identityOfPrice))
  const added: string[] = []
  const changed: string[] = []
  for (const price of after) {
    const was = old.get(identityOfPrice(price))
    if (was === undefined) added.push(showPrice(price))
    else if (amounts.some(([, name]) => was[name] !== price[name])) changed.push(showChange(was, price))
  }
  const removed = before.filter((price) => !kept.has(identityOfPrice(price))).map(showPrice)
  return Object.fromEntries(
    Object.entries({ added, changed, removed }).flatMap(([kind, texts]) =>
      texts.length === 0 ? [] : [[kind, join(texts)]],
    ),
  )
}
