// The world that the tools of the story ask: what it answers, how long it takes, and when it begins to change.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '../chance.ts'

export type Rates = { readonly base: string; readonly USD: number; readonly GBP: number; readonly JPY: number }

export type Market = {
  rates(base: string): Promise<Rates>
  headlines(topic: string): Promise<{ readonly topic: string; readonly lead: string; readonly tape: string }>
  styleGuide(document: string): Promise<{ readonly document: string; readonly rules: string }>
  taxRate(country: string): Promise<{ readonly country: string; readonly vatPercent: number }>
  /** From now on every few headlines are new ones. */
  openNews(): void
  /** From now on rates move with every look at them. */
  openTrading(): void
}

const rules = `Kerning follows Baskerville; serial commas abolished; ampersands forbidden outside trademarks; footnotes asterisked;
hyphenate compound adjectives; numerals spelled beneath thirteen; umlauts retained; italicise periodicals; em-dashes unspaced.`
const companies = ['Northwind', 'Contoso', 'Fabrikam', 'Tailspin', 'Litware', 'Proseware']
const happenings = ['raises guidance', 'halts shipments', 'names a treasurer', 'sells its harbour', 'buys back stock']

const askedPerHeadline = 3

export function openMarket(chance: Chance): Market {
  let isNewsOpen = false
  let isTradingOpen = false
  let asked = 0
  const fixing = { USD: 1.0842, GBP: 0.8437, JPY: 169.31 }
  const tapeOf = (wire: number): string => `wire-${String(wire).padStart(5, '0')}`
  const moved = (rate: number): number => Number((rate * (1 + chance.between(-400, 400) / 100_000)).toFixed(4))
  return {
    async rates(base) {
      await sleep(chance.between(110, 160))
      if (!isTradingOpen) return { base, ...fixing }
      return { base, USD: moved(fixing.USD), GBP: moved(fixing.GBP), JPY: moved(fixing.JPY) }
    },
    async headlines(topic) {
      await sleep(chance.between(20, 50))
      const wire = isNewsOpen ? Math.floor(asked++ / askedPerHeadline) : -1
      const lead =
        wire < 0 ? 'Nothing has happened yet' : `${companies[wire % 6]} ${happenings[Math.floor(wire / 6) % 5]}`
      return { topic, lead, tape: tapeOf(wire + 1) }
    },
    async styleGuide(document) {
      await sleep(chance.between(60, 90))
      return { document, rules }
    },
    async taxRate(country) {
      await sleep(chance.between(20, 40))
      return { country, vatPercent: 19 }
    },
    openNews() {
      isNewsOpen = true
    },
    openTrading() {
      isTradingOpen = true
    },
  }
}
