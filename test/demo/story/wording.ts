// How the story words what the service says.
import type { Decision, Finding, Point, Savings, Transition } from './reading.ts'

const cents = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })

const dollars = (usd: number): string => cents.format(usd)
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

const claims: Readonly<Record<string, string>> = {
  reuse_identity: 'the same call gives the same result',
  suppress_dead: 'no model uses the result',
}

const words: Readonly<Record<string, string>> = { shadow: 'in shadow' }

/** One step of a rule, as a line or two. */
export function describeStep({ type, config }: Decision, { to_state: to, reason }: Transition): string {
  const { tool_name: tool, evidence } = config
  if (to !== 'proposed') return `${tool} is ${words[to] ?? to}: ${reason ?? 'no reason'}`
  const { usd = null } = evidence.expected_monthly_savings ?? {}
  const worth = usd === null ? '' : `; expected savings: ${dollars(usd)} a month`
  return `${tool} is proposed as ${type}: ${claims[type] ?? 'unknown type'}\n         ${reason}${worth}`
}

const percent = (rate: number): string => `${(rate * 100).toFixed(rate === 1 ? 0 : 1)} %`

/** What is known of a rule that hopes to be proven. */
export const describeProof = (point: Point | null): string =>
  point === null ? '–' : `${point.trial}, ${percent(point.rate)}, ≥ ${percent(point.lower)}`

/** What is known of one that is in doubt. */
export const describeDoubt = ({ trial, matches, upper }: Point): string =>
  `${matches} of ${trial} trials matched; at most ${percent(upper)} match`

export const savingsRows = ({ decisions, ...total }: Savings): string[][] => [
  ['Tool', 'served', 'held out', 'time saved', 'gross saving', 'holdout cost', 'net saving'],
  ...[...decisions, { ...total, tool_name: 'all' }].map((row) => [
    row.tool_name,
    String(row.served_calls),
    String(row.holdout_calls),
    seconds(row.latency_saved_ms),
    dollars(row.gross_usd),
    dollars(row.holdout_cost_usd),
    dollars(row.net_usd),
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
  ['Finding', 'a month', 'What'],
  ...findings.map(({ type, est_monthly_cost_usd: usd, title }) => [type, usd === null ? '–' : dollars(usd), title]),
]
