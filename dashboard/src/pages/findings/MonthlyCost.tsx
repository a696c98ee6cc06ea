import { formatUsd, formatUsdExact } from '../../format/index.ts'
import { Money } from '../../ui/index.ts'
import type { Finding } from './queries.ts'
import { readSeenUsd } from './rows.ts'

/** What a finding costs a month. What was seen in less than a day is the least that it costs. */
export function MonthlyCost({ finding }: { readonly finding: Pick<Finding, 'est_monthly_cost_usd' | 'evidence'> }) {
  const seenUsd = readSeenUsd(finding)
  if (finding.est_monthly_cost_usd !== null || seenUsd === null) return <Money usd={finding.est_monthly_cost_usd} />
  return (
    <span title={`${formatUsdExact(seenUsd)} in less than a day, too short for a month`}>≥ {formatUsd(seenUsd)}</span>
  )
}
