// Facts that the page of savings derives from the responses of the API.

import type { Schemas } from '../../api/client.ts'
import type { Mark } from '../../charts/index.ts'
import { formatSignedUsd, formatTime } from '../../format/index.ts'
import type { Bounds } from '../../window/index.ts'

type Savings = Schemas['Savings']
export type Rule = Savings['decisions'][number]
type Decision = Pick<Schemas['Decision'], 'id' | 'config' | 'activated_at' | 'disabled_at' | 'state' | 'previous_state'>

/** Sorts rules that lose money first, the worst at the top, then rules that save money, the best first. */
export const sortRules = (rules: readonly Rule[]): Rule[] =>
  rules.toSorted((a, b) => {
    if (a.net_usd < 0 || b.net_usd < 0) return a.net_usd - b.net_usd
    return b.net_usd - a.net_usd || b.latency_saved_ms - a.latency_saved_ms
  })

/** Returns the number of rules that served calls without a known cost: their savings are known only in time, not in money. */
export const countUnpricedRules = (rules: readonly Rule[]): number =>
  rules.filter(({ served_calls: served, gross_usd: gross }) => served > 0 && gross === 0).length

/** Returns the time in milliseconds at which a rule was last activated; null if no rule ever was. */
export function findLastActive(decisions: readonly Pick<Decision, 'activated_at'>[]): number | null {
  const times = decisions.flatMap(({ activated_at: at }) => (at === null ? [] : [Date.parse(at)]))
  return times.length === 0 ? null : Math.max(...times)
}

export type Moment = {
  readonly ms: number
  /** The number of the moment in the list below the chart. */
  readonly label: string
  readonly decisionId: string
  readonly what: string
  readonly toolName: string
}

const mostMoments = 20

/** Returns the moments of the window at which rules began or ceased to serve, in order and numbered. */
export function listMoments(decisions: readonly Decision[], { from, to }: Bounds): Moment[] {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
  return decisions
    .flatMap(({ id, config, activated_at: activated, disabled_at: disabled, state, previous_state: before }) => {
      const about = { decisionId: id, toolName: String(config['tool_name']) }
      const isEnded = state === 'disabled' && before === 'active'
      return [
        ...(activated === null ? [] : [{ ...about, what: 'activated', ms: Date.parse(activated) }]),
        ...(disabled === null || !isEnded ? [] : [{ ...about, what: 'disabled', ms: Date.parse(disabled) }]),
      ]
    })
    .filter(({ ms }) => ms >= fromMs && ms < toMs)
    .toSorted((a, b) => a.ms - b.ms)
    .slice(-mostMoments)
    .map((moment, at) => ({ ...moment, label: String(at + 1) }))
}

const dayMs = 86_400_000

/** Returns the next longer window to search for savings; null if there is none. */
export function chooseLonger({ from, to }: Bounds): '30d' | '90d' | null {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs
  if (days < 30) return '30d'
  return days < 90 ? '90d' : null
}

// The labels of two marks that are closer than this share of the window would overlap.
const leastApart = 0.02

/** Returns the marks of the chart. Moments that are too close to each other share a mark, such as `1–3`. */
export function markMoments(moments: readonly Moment[], { from, to }: Bounds): Mark[] {
  const apartMs = (Date.parse(to) - Date.parse(from)) * leastApart
  const groups: Moment[][] = []
  for (const moment of moments) {
    const last = groups.at(-1)
    if (last?.[0] === undefined || moment.ms - last[0].ms > apartMs) groups.push([moment])
    else last.push(moment)
  }
  return groups.flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)]
    if (first === undefined || last === undefined) return []
    return [{ ms: first.ms, label: first === last ? first.label : `${first.label}–${last.label}` }]
  })
}

type Net = Pick<Savings['points'][number], 'time' | 'net_usd'>

/** Returns the sentence below the chart. It calls a loss a loss. */
export function describeNet(points: readonly Net[], netUsd: number, zone: string, nowMs: number): string {
  const worst = points.toSorted((a, b) => a.net_usd - b.net_usd)[0]
  const best = points.toSorted((a, b) => b.net_usd - a.net_usd)[0]
  if (worst === undefined || best === undefined || (worst.net_usd === 0 && best.net_usd === 0))
    return 'Net: nothing was saved or lost in this window.'
  const tell = (what: string, { time, net_usd: usd }: Net): string =>
    `${what} ${formatSignedUsd(usd)} at ${formatTime(time, zone, nowMs, 'min')}`
  const parts = [
    ...(worst.net_usd < 0 ? [tell('lowest', worst)] : []),
    ...(best.net_usd > 0 ? [tell('highest', best)] : []),
  ]
  return `Net: ${formatSignedUsd(netUsd)} in total, ${parts.join(', ')}.`
}
