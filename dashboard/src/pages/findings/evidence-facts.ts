// Formats the evidence of a finding as pairs of label and value. Each type of finding has its own field names, whose endings give the units.
import { exact, formatCount, formatDuration, formatFraction, formatTokens, formatUsd } from '../../format/index.ts'

export type Fact = { readonly label: string; readonly text: string }

const mostListed = 5

const units: readonly { readonly ending: RegExp; readonly format: (value: number) => string }[] = [
  { ending: /_?usd$/, format: formatUsd },
  { ending: /_?ms$/, format: formatDuration },
  { ending: /_s$/, format: (seconds) => formatDuration(seconds * 1_000) },
  { ending: /_tokens$/, format: (tokens) => formatTokens(Math.round(tokens)) },
]

const isShare = (name: string): boolean => /(^|_)(share|rate)(_|$)/.test(name)

/** Returns a fact for each value that is not null. The label of a nested value begins with the name of the field that contains it. */
export function listFacts(values: Readonly<Record<string, unknown>>, skipped: ReadonlySet<string> = new Set()): Fact[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (skipped.has(name) || hidden.has(name) || value === null || value === undefined) return []
    if (typeof value === 'object' && !Array.isArray(value)) {
      return listFacts(value as Record<string, unknown>).map(({ label, text }) => ({
        label: `${nameFact(name)}: ${label.toLowerCase()}`,
        text,
      }))
    }
    const text = show(name, value)
    return text === '' ? [] : [{ label: nameFact(name), text }]
  })
}

function show(name: string, value: unknown): string {
  if (typeof value === 'number') return showNumber(name, value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return showList(value)
  return typeof value === 'string' ? value : ''
}

function showNumber(name: string, value: number): string {
  if (isShare(name)) return formatFraction(value)
  const unit = units.find(({ ending }) => ending.test(name))
  if (unit !== undefined) return unit.format(value)
  return Number.isInteger(value) ? formatCount(value) : exact(Math.round(value * 100) / 100)
}

function showList(values: readonly unknown[]): string {
  const shown = values.slice(0, mostListed).map((value) =>
    typeof value === 'object' && value !== null
      ? listFacts(value as Record<string, unknown>)
          .map(({ label, text }) => `${label.toLowerCase()} ${text}`)
          .join(', ')
      : String(value),
  )
  const left = values.length - shown.length
  return [shown.join(shown.some((one) => one.includes(', ')) ? '; ' : ', '), left > 0 ? `${left} more` : '']
    .filter(Boolean)
    .join(' and ')
}

// Names whose words alone do not say what was counted.
const labels: Readonly<Record<string, string>> = {
  calls_with_a_price: 'Calls with a reported cost',
  consumed: 'Results that were in a prompt',
  executions: 'Calls that were replayed',
  freshness_s: 'Maximum age of a result',
  holdout_share: 'Share that would be held out',
  inputs: 'Different inputs',
  loops_looked_at: 'Loops used for the cost',
  mean_call_usd: 'Mean cost of a call',
  most_repeated_input_hashes: 'Most repeated inputs',
  prompts_with_unread_results: 'Model calls with an unused result in their prompt',
  read: 'Results that a model used',
  refuted: 'Wrong too often to be served',
  repeats: 'Repeated calls',
  repeats_within_freshness: 'Calls repeated within the age limit of the workspace, which are priced',
  right_share: 'Share of right results',
  steps_down: 'Times that many results changed at once',
  trials: 'Calls that would have been served',
  waited_ms: 'Waited for the results',
  within_s: 'Repeated within',
  wrong: 'Of these, wrong',
  wrong_share_upper: 'Maximum share of wrong results',
  blocks: 'Periods of that age with such a call',
}

/** Ids mean nothing to a person; the text of the finding says what they are about. */
const hidden = new Set(['agent_id'])

/** Converts a field name to a label: `mean_failed_call_usd` becomes `Mean failed call`. The unit is part of the value. */
function nameFact(name: string): string {
  const label = Object.hasOwn(labels, name) ? labels[name] : undefined
  if (label !== undefined) return label
  const words = name.replace(/_(usd|ms|s)$/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
