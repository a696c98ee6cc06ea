// What needs somebody's attention now.
import { useQuery } from '@tanstack/react-query'
import { OctagonAlert, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { usePageWindow } from '../../app/page-window.tsx'
import { formatCount, formatSignedUsd } from '../../format/index.ts'
import { type Scope, savingsQuery } from '../../stats/queries.ts'
import { Link } from '../../ui/index.ts'
import { readPeriod } from '../usage/period.ts'
import { usageQuery } from '../usage/queries.ts'
import { losingRules } from './facts.ts'
import styles from './overview.module.css'
import { findingCountsQuery } from './queries.ts'

const nearQuota = 0.9

export function Notices({ scope }: { readonly scope: Scope }) {
  const { workspaceId } = scope
  const { nowMs } = usePageWindow()
  const { data: usage } = useQuery(usageQuery(workspaceId, readPeriod(nowMs)))
  const { data: counts } = useQuery(findingCountsQuery(workspaceId))
  const { data: savings } = useQuery(savingsQuery(scope))
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
      {critical > 0 && (
        <Notice isCritical>
          {critical === 1 ? 'One critical finding is open.' : `${formatCount(critical)} critical findings are open.`}
        </Notice>
      )}
    </div>
  )
}

function Notice({ isCritical = false, children }: { readonly isCritical?: boolean; readonly children: ReactNode }) {
  const Icon = isCritical ? OctagonAlert : TriangleAlert
  return (
    <p className={isCritical ? styles.critical : styles.warning}>
      <Icon size={14} aria-label={isCritical ? 'Critical' : 'Warning'} />
      <span>{children}</span>
    </p>
  )
}
