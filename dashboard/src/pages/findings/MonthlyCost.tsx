import { formatUsd, formatUsdExact } from '../../format/index.ts'
import { Money } from '../../ui/index.ts'
import type { Finding } from './queries.ts'
import { readContainer, readSeenUsd } from './rows.ts'

/** Shows the monthly cost of a finding, and whether another finding contains it. */
export function MonthlyCost({ finding }: { readonly finding: Pick<Finding, 'est_monthly_cost_usd' | 'evidence'> }) {
  const container = readContainer(finding)
  return (
    <>
      <Cost finding={finding} />
      {container !== null && (
        <span title={`The finding “${container}” contains this cost: do not add the two`}> shared</span>
      )}
    </>
  )
}

/** If less than a day was observed, the observed cost is shown as a lower bound. */
function Cost({ finding }: { readonly finding: Pick<Finding, 'est_monthly_cost_usd' | 'evidence'> }) {
  const seenUsd = readSeenUsd(finding)
  if (finding.est_monthly_cost_usd !== null || seenUsd === null) return <Money usd={finding.est_monthly_cost_usd} />
  return (
    <span title={`${formatUsdExact(seenUsd)} in less than a day, too short for a month`}>≥ {formatUsd(seenUsd)}</span>
  )
}
