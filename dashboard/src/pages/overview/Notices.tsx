// What needs somebody's attention now.
import { useQuery } from '@tanstack/react-query'
import { usePageWindow } from '../../app/page-window.tsx'
import { formatCount, formatSignedUsd } from '../../format/index.ts'
import { type Scope, savingsQuery } from '../../stats/queries.ts'
import { Link } from '../../ui/index.ts'
import { readPeriod } from '../usage/period.ts'
import { usageQuery } from '../usage/queries.ts'
import { disabledIn, losingRules } from './facts.ts'
import { Notice } from './Notice.tsx'
import styles from './overview.module.css'
import { disabledRulesQuery, findingCountsQuery } from './queries.ts'
import { TrippedRule } from './TrippedRule.tsx'

const nearQuota = 0.9

export function Notices({ scope }: { readonly scope: Scope }) {
  const { workspaceId } = scope
  const { nowMs } = usePageWindow()
  const { data: usage } = useQuery(usageQuery(workspaceId, readPeriod(nowMs)))
  const { data: counts } = useQuery(findingCountsQuery(workspaceId))
  const { data: savings } = useQuery(savingsQuery(scope))
  const { data: disabled = [] } = useQuery(disabledRulesQuery(workspaceId))
  const critical = counts?.by_severity.critical.open ?? 0
  const losing = savings === undefined ? [] : losingRules(savings)
  const quota = usage?.event_quota ?? null
  const used = usage === undefined || quota === null ? 0 : usage.accepted_events / quota
  return (
    <div role="status" className={styles.notices}>
      {usage?.quota_exceeded === true && (
        <Notice isCritical>
          The quota of this month is used up, and new spans are dropped.{' '}
          <Link to="/w/$workspace_id/usage">See usage</Link>
        </Notice>
      )}
      {usage?.quota_exceeded === false && used >= nearQuota && (
        <Notice>
          {formatCount(usage.accepted_events)} of {formatCount(quota)} events of this month are used.{' '}
          <Link to="/w/$workspace_id/usage">See usage</Link>
        </Notice>
      )}
      {losing.map((rule) => (
        <Notice key={rule.decision_id}>
          The rule on <strong>{rule.tool_name}</strong> costs more than it saves: {formatSignedUsd(rule.net_usd)} net in
          this window.
        </Notice>
      ))}
      {disabledIn(disabled, scope.window).map((decision) => (
        <TrippedRule key={decision.id} workspaceId={workspaceId} decision={decision} />
      ))}
      {critical > 0 && (
        <Notice isCritical>
          {critical === 1 ? 'One critical finding is open.' : `${formatCount(critical)} critical findings are open.`}
        </Notice>
      )}
    </div>
  )
}
