// Notices about conditions that need attention now.
import { formatCount, formatSignedUsd } from '../../format/index.ts'
import { Button, DecisionState, Link, Time } from '../../ui/index.ts'
import { Notice } from './Notice.tsx'
import styles from './overview.module.css'
import type { NoticeFacts } from './use-notice-facts.ts'

const nearQuota = 0.9

export function Notices({ facts }: { readonly facts: NoticeFacts }) {
  const { usage, criticalFindings, losing, trips, missing, retry } = facts
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
          this window. <Link to="/w/$workspace_id/savings">See savings</Link>
        </Notice>
      ))}
      {trips.map(({ decision, move }) => (
        <Notice key={decision.id}>
          <DecisionState state="disabled" isTripped /> The calls of{' '}
          <strong>{String(decision.config['tool_name'])}</strong> run for real again since{' '}
          <Time time={move.at} precision="s" />
          {move.reason === null ? '.' : `: ${move.reason}.`}{' '}
          <Link to="/w/$workspace_id/decisions/$decision_id" params={{ decision_id: decision.id }}>
            See the rule
          </Link>
        </Notice>
      ))}
      {criticalFindings > 0 && (
        <Notice isCritical>
          {criticalFindings === 1
            ? 'One critical finding is open.'
            : `${formatCount(criticalFindings)} critical findings are open.`}{' '}
          <Link to="/w/$workspace_id/findings" search={{ severity: 'critical' }}>
            See {criticalFindings === 1 ? 'it' : 'them'}
          </Link>
        </Notice>
      )}
      {missing.length > 0 && (
        <p className={styles.missing}>
          Notices about {missing.join(', ')} could not be loaded.{' '}
          <Button variant="quiet" onClick={retry}>
            Retry
          </Button>
        </p>
      )}
    </div>
  )
}
