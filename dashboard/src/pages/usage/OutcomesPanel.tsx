// The outcomes of all received spans: received = stored + duplicate + rejected + dropped.
import type { UseQueryResult } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { nameSlot, SliceBar } from '../../charts/index.ts'
import { formatCount } from '../../format/index.ts'
import { Panel } from '../../ui/index.ts'
import { NothingReceived } from './NothingReceived.tsx'
import { type Outcome, outcomes, sumOutcomes } from './outcomes.ts'
import styles from './usage.module.css'

type Props = {
  readonly workspaceId: string
  readonly days: UseQueryResult<Schemas['UsageTimeseries']>
  readonly period: string
}

/** The anchors of the explanations. Outcomes without a separate section are explained below the bar. */
const places: Readonly<Record<Outcome, string>> = {
  stored: '#outcome-stored',
  duplicate: '#outcome-duplicate',
  rejected: '#rejections',
  dropped_quota: '#outcome-dropped_quota',
  dropped_agent_cap: '#outcome-dropped_agent_cap',
}

export function OutcomesPanel({ workspaceId, days, period }: Props) {
  return (
    <Panel
      title="Received spans by outcome"
      query={days}
      height={256}
      empty={({ points }) =>
        sumOutcomes(points).received === 0 ? <NothingReceived workspaceId={workspaceId} period={period} /> : null
      }
    >
      {({ points }) => {
        const totals = sumOutcomes(points)
        const shown = outcomes.filter(({ key }) => totals[key] > 0)
        return (
          <div className={styles.outcomes}>
            <p>
              {formatCount(totals.received)} received ={' '}
              {shown.map(({ key, label }) => `${formatCount(totals[key])} ${label.toLowerCase()}`).join(' + ')}
            </p>
            <SliceBar
              label="Outcomes of the spans"
              parts={outcomes.map(({ key, label, slot }) => ({
                key,
                label,
                value: totals[key],
                colour: nameSlot(slot),
                href: places[key],
              }))}
            />
            <dl className={styles.meanings}>
              {outcomes.map(({ key, label, meaning }) => (
                <div key={key} id={`outcome-${key}`}>
                  <dt>{label}</dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </div>
        )
      }}
    </Panel>
  )
}
