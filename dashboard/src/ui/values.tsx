// Values in text and tables: formatted by ../format, with the full value on hover.
import {
  exact,
  explainTime,
  explainUnpriced,
  formatAgo,
  formatDuration,
  formatTime,
  formatTokens,
  formatUsdExact,
  formatUsdSum,
  type Precision,
} from '../format/index.ts'
import { useZone } from './zone.ts'

/** A moment in the zone of the page. `isRelative`: "12 min ago" for less than an hour. `precision`: of the text; hover shows all digits. */
export function Time({
  time,
  nowMs = Date.now(),
  isRelative = false,
  precision,
}: {
  readonly time: string
  readonly nowMs?: number
  readonly isRelative?: boolean
  readonly precision?: Precision
}) {
  const zone = useZone()
  return (
    <time dateTime={time} title={explainTime(time, zone)}>
      {isRelative ? formatAgo(time, zone, nowMs, precision) : formatTime(time, zone, nowMs, precision)}
    </time>
  )
}

/** An amount. The hover text explains a missing amount, and a sum in which calls have no price. */
export function Money({ usd, unpricedCalls = 0 }: { readonly usd: number | null; readonly unpricedCalls?: number }) {
  const why = usd === null && unpricedCalls === 0 ? 'no cost is known' : explainUnpriced(unpricedCalls)
  return <span title={[formatUsdExact(usd), why].filter(Boolean).join(', ')}>{formatUsdSum(usd, unpricedCalls)}</span>
}

export function Tokens({ tokens }: { readonly tokens: number | null }) {
  return <span title={tokens === null ? undefined : `${exact(tokens)} tokens`}>{formatTokens(tokens)}</span>
}

export function Duration({ ms }: { readonly ms: number | null }) {
  return <span title={ms === null ? undefined : `${exact(ms)} ms`}>{formatDuration(ms)}</span>
}
