// Values in running text and tables: written by the rules of ../format, with the whole value on hover.
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

/** A moment in the zone of the page. `isRelative`: under an hour as "12 min ago". `precision`: of what is shown; hover shows all of it. */
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

/** Null, or a sum of which some calls have no price, says so. */
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
