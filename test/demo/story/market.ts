// The world behind the tools of the story: what it answers at any time, how long that takes, and when it begins to change.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '../chance.ts'

export type Rate = { readonly base: string; readonly USD: number }
export type Headline = { readonly topic: string; readonly lead: string; readonly wire: string }
export type StyleGuide = { readonly document: string; readonly rules: string }
export type TaxRate = { readonly country: string; readonly vatPercent: number }

export type Market = {
  rate(base: string): Promise<Rate>
  headline(topic: string): Promise<Headline>
  styleGuide(document: string): Promise<StyleGuide>
  taxRate(country: string): Promise<TaxRate>
  /** The answers of the tools, without their delay. */
  rateNow(base: string): Rate
  headlineAt(topic: string, atMs: number): Headline
  styleGuideNow(document: string): StyleGuide
  taxRateNow(country: string): TaxRate
  /** Changes one rate, once. */
  announce(base: string): Rate
  /** From then on each rate changes every few seconds. */
  openTrading(): void
}

const usdOf: Readonly<Record<string, number>> = {
  EUR: 1.0842,
  GBP: 1.2851,
  CHF: 1.1318,
  SEK: 0.0947,
  NOK: 0.0921,
  DKK: 0.1453,
  PLN: 0.2517,
  CZK: 0.0429,
  HUF: 0.0027,
  AUD: 0.6613,
  CAD: 0.7309,
  NZD: 0.6082,
}
export const bases = Object.keys(usdOf)
export const topics = ['markets', 'oil', 'metals', 'grain', 'bonds', 'shipping', 'chips', 'banks'] as const

const rules = `Kerning follows Baskerville; serial commas abolished; ampersands forbidden outside trademarks; footnotes asterisked;
hyphenate compound adjectives; numerals spelled beneath thirteen; umlauts retained; italicise periodicals; em-dashes unspaced.`
const companies = ['Northwind', 'Contoso', 'Fabrikam', 'Tailspin', 'Litware', 'Proseware']
const happenings = ['raises guidance', 'halts shipments', 'names a treasurer', 'sells its harbour', 'buys back stock']

const headlineLastsMs = 20_000
const meanRateLastsMs = 2_500

export function openMarket(chance: Chance): Market {
  const rates = new Map(Object.entries(usdOf))
  const nextMoveMs = new Map<string, number>()
  const share = (): number => chance.between(1, 1_000_000) / 1_000_000
  const pauseMs = (): number => -Math.log(share()) * meanRateLastsMs
  const move = (base: string): void => {
    const step = chance.between(100, 400) / 100_000
    const factor = chance.chance(0.5) ? 1 + step : 1 - step
    rates.set(base, Number(((rates.get(base) ?? 0) * factor).toPrecision(5)))
  }

  function rateNow(base: string): Rate {
    const nowMs = Date.now()
    for (let at = nextMoveMs.get(base); at !== undefined && at <= nowMs; at = nextMoveMs.get(base)) {
      move(base)
      nextMoveMs.set(base, at + pauseMs())
    }
    return { base, USD: rates.get(base) ?? 0 }
  }

  function headlineAt(topic: string, atMs: number): Headline {
    const nth = Math.floor(atMs / headlineLastsMs) + topics.findIndex((known) => known === topic)
    const lead = `${companies[nth % companies.length]} ${happenings[Math.floor(nth / companies.length) % happenings.length]}`
    return { topic, lead, wire: `wire-${nth % 1_000_000}` }
  }

  const styleGuideNow = (document: string): StyleGuide => ({ document, rules })
  const taxRateNow = (country: string): TaxRate => ({ country, vatPercent: 19 })

  return {
    rateNow,
    headlineAt,
    styleGuideNow,
    taxRateNow,
    async rate(base) {
      await sleep(chance.between(110, 160))
      return rateNow(base)
    },
    async headline(topic) {
      await sleep(chance.between(20, 50))
      return headlineAt(topic, Date.now())
    },
    async styleGuide(document) {
      await sleep(chance.between(60, 90))
      return styleGuideNow(document)
    },
    async taxRate(country) {
      await sleep(chance.between(20, 40))
      return taxRateNow(country)
    },
    announce(base) {
      move(base)
      return rateNow(base)
    },
    openTrading() {
      for (const base of bases) nextMoveMs.set(base, Date.now() + pauseMs())
    },
  }
}
