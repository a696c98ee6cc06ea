// How much of the plan is used, in events and agents, and when the quota of events will be used up.
import type { UseQueryResult } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { Gauge } from '../../charts/index.ts'
import { countOf, formatCount, formatShare, formatTime } from '../../format/index.ts'
import { namePlan } from '../../settings/name-plan.ts'
import { Panel } from '../../ui/index.ts'
import { projectUsage } from './outcomes.ts'
import styles from './usage.module.css'

type Props = {
  readonly usage: UseQueryResult<Schemas['Usage']>
  readonly days: readonly Schemas['UsageDay'][]
  readonly nowMs: number
}

export function QuotaPanel({ usage, days, nowMs }: Props) {
  return (
    <Panel title="Plan" query={usage} height={84}>
      {(record) => (
        <div className={styles.plan}>
          <p>
            This workspace is on the plan <b>{namePlan(record.plan)}</b>.
          </p>
          <Events record={record} days={days} nowMs={nowMs} />
          {/* The service counts the agents that there are now, whatever month is asked for. */}
          {nowMs < Date.parse(record.period_end) && <Agents record={record} />}
        </div>
      )}
    </Panel>
  )
}

type EventsProps = Pick<Props, 'days' | 'nowMs'> & { readonly record: Schemas['Usage'] }

function Events({ record, days, nowMs }: EventsProps) {
  const { accepted_events: used, event_quota: quota, quota_exceeded: isExceeded, period_end: end } = record
  if (quota === null) return <p>{countOf(used, 'event')} stored; the plan sets no limit.</p>
  const endMs = Date.parse(end)
  const isOver = nowMs >= endMs
  const projection = isOver ? null : projectUsage(days, { used, quota, nowMs, endMs })
  const text = `${formatCount(used)} of ${formatCount(quota)} events (${formatShare(used, quota)})`
  const until = formatTime(end, 'UTC', nowMs, 'min')
  return (
    <div>
      <p>{text}</p>
      <Gauge label="Events of the month" used={used} limit={quota} text={text} projected={projection?.atEnd ?? null} />
      {isExceeded && !isOver && (
        <p className={styles.alarm}>The quota is used up: further spans are dropped until {until} UTC.</p>
      )}
      {!isExceeded && projection !== null && (
        <p>
          {projection.exhaustedAtMs === null
            ? `At the pace of the last days ${formatCount(projection.atEnd)} events are used when the month ends.`
            : `At the pace of the last days the quota is used up on ${formatTime(projection.exhaustedAtMs, 'UTC', nowMs, 'day')} (UTC).`}
        </p>
      )}
    </div>
  )
}

function Agents({ record }: { readonly record: Schemas['Usage'] }) {
  const { agents, agent_cap: cap } = record
  if (cap === null) return <p>{countOf(agents, 'agent')}; the plan sets no limit.</p>
  const text = `${formatCount(agents)} of ${formatCount(cap)} agents`
  return (
    <div>
      <p>{text}</p>
      <Gauge label="Agents" used={agents} limit={cap} text={text} />
      {agents >= cap && <p className={styles.alarm}>Spans of additional agents are dropped.</p>}
    </div>
  )
}
