// The wording of the service's answers in the story.

import { wordAge } from '../../../src/decisions/choose-step.ts'
import { type Observed, wordSpan } from '../../../src/pricing/monthly.ts'
import type { Decision, Finding, Rung, Savings, Score, Transition } from './reading.ts'

const count = new Intl.NumberFormat('en')
const dayS = 86_400
const cents = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })

const dollars = (usd: number): string => cents.format(usd)
/** Below a dollar, two significant digits. */
const fineDollars = (usd: number): string => (usd >= 1 ? dollars(usd) : `$${Number(usd.toPrecision(2))}`)
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

const claims: Readonly<Record<string, string>> = {
  reuse_identity: 'the same call gives the same result',
  suppress_dead: 'no model uses the result',
}

/** Returns an amount of money with the period over which it was observed; null if there is none. */
function describeWorth(
  observed: Observed | undefined,
  seenUsd: number | null | undefined,
  monthlyUsd: number | null | undefined,
): string | null {
  if (observed === undefined) return null
  if (typeof monthlyUsd === 'number') return `${fineDollars(monthlyUsd)} a month, from ${observed.days} days`
  if (typeof seenUsd !== 'number') return null
  return `${fineDollars(seenUsd)} in ${wordSpan({ fromMs: Date.parse(observed.from), toMs: Date.parse(observed.to) })}`
}

/** Returns one step of a rule as a line or two; null if it changes nothing for the agents. */
export function describeStep({ type, config }: Decision, { to_state: to, reason }: Transition): string | null {
  const { tool_name: tool, evidence } = config
  if (to === 'shadow') return null
  if (to !== 'proposed') return `${tool} is ${to}: ${reason ?? 'no reason'}`
  const worth = describeWorth(evidence.observed, evidence.seen_savings?.usd, evidence.expected_monthly_savings?.usd)
  return `${tool} is proposed as ${type}: ${claims[type] ?? 'unknown type'}\n         ${reason}${worth === null ? '' : `; expected savings: ${worth}`}`
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** Returns the measurements of a rule at each age up to which it may serve. */
export const rungRows = ({ state, config, score }: Decision): string[][] => [
  [`${config.tool_name}, results up to`, 'periods', 'right', 'wrong at most', 'proven'],
  ...(score?.rungs ?? []).map((rung) => [
    `  ${wordAge(rung.freshness_s)} old`,
    count.format(rung.blocks),
    `${count.format(rung.trials - rung.wrong)} of ${count.format(rung.trials)}`,
    percent(rung.wrong_share_upper),
    rung.rung_proven ? 'yes' : `no${state === 'active' ? describeNeed(rung, score?.next ?? null) : ''}`,
  ]),
]

const describeNeed = ({ freshness_s: ageS }: Rung, next: Score['next']): string =>
  next?.freshness_s !== ageS || next.needs_s === null ? '' : `, it needs ${Math.ceil(next.needs_s / dayS)} more days`

export const wordPeriod = (fromMs: number, toMs: number): string => wordSpan({ fromMs, toMs })

export const savingsRows = ({ decisions, ...total }: Savings): string[][] => [
  ['Tool', 'served', 'held out', 'time saved', 'gross saving', 'wrong results', 'net saving', 'held out, not saved'],
  ...[...decisions, { ...total, tool_name: 'all' }].map((row) => [
    row.tool_name,
    String(row.served_calls),
    String(row.holdout_calls),
    seconds(row.latency_saved_ms),
    dollars(row.gross_usd),
    dollars(row.wrong_cost_usd),
    dollars(row.net_usd),
    dollars(row.holdout_cost_usd),
  ]),
]

export const trailRows = (steps: readonly Transition[]): string[][] => [
  ['At (UTC)', 'From', 'To', 'By', 'Reason'],
  ...steps.map(({ at, from_state: from, to_state: to, actor, reason }) => [
    at.slice(11, 23),
    from ?? '–',
    to,
    actor,
    reason ?? '–',
  ]),
]

export const findingRows = (findings: readonly Finding[]): string[][] => [
  ['Finding', 'Cost', 'What'],
  ...findings.map(({ type, est_monthly_cost_usd: monthlyUsd, evidence: { observed, price }, title }) => [
    type,
    describeWorth(observed, price.seen_usd, monthlyUsd) ?? `none: ${price.basis}`,
    title,
  ]),
]
