// The effect of a rule about unread results on sessions: sessions that it served compared with randomly held-out ones.
import { useId } from 'react'
import { IntervalBar, scaleAroundZero } from '../../charts/index.ts'
import { type Decision, type Outcome, readScore } from '../../decisions/score.ts'
import { exact, formatCount, formatSignedUsd } from '../../format/index.ts'
import { type Column, Table } from '../../ui/index.ts'
import styles from './decision.module.css'

type Measure = { readonly name: string; readonly good: 'above' | 'below'; readonly show: (value: number) => string }

const signed = (value: number): string => (value > 0 ? `+${exact(value)}` : exact(value))

const measures: Readonly<Record<string, Measure>> = {
  llm_calls: { name: 'LLM calls', good: 'below', show: signed },
  cost_usd: { name: 'Cost of model calls', good: 'below', show: formatSignedUsd },
  errors: { name: 'Failures', good: 'below', show: signed },
  quality: { name: 'Evaluation score', good: 'above', show: signed },
}

const measureOf = (measure: string): Measure => measures[measure] ?? { name: measure, good: 'below', show: signed }

const columns: readonly Column<Outcome>[] = [
  { key: 'measure', header: 'A session', cell: ({ measure }) => measureOf(measure).name },
  { key: 'bar', header: 'Served, less held out (95 %)', cell: (outcome) => <Difference outcome={outcome} /> },
  { key: 'interval', header: 'Between', isNumber: true, cell: describeInterval },
  { key: 'served', header: 'Served', isNumber: true, cell: ({ servedSessions: count }) => formatCount(count) },
  { key: 'held', header: 'Held out', isNumber: true, cell: ({ heldOutSessions: count }) => formatCount(count) },
]

function describeInterval({ measure, lower, upper }: Outcome): string {
  if (lower === null || upper === null) return 'fewer than 5 sessions on one side'
  const { show } = measureOf(measure)
  return `${show(lower)} and ${show(upper)}`
}

function Difference({ outcome }: { readonly outcome: Outcome }) {
  const { measure, lower, upper } = outcome
  if (lower === null || upper === null) return '—'
  return (
    <span className={styles.difference}>
      <IntervalBar
        lower={lower}
        upper={upper}
        mark={0}
        scale={scaleAroundZero({ lower, upper })}
        good={measureOf(measure).good}
        text={`${measureOf(measure).name} a session, served less held out: between ${describeInterval(outcome)}`}
      />
    </span>
  )
}

export function Outcomes({ decision }: { readonly decision: Decision }) {
  const id = useId()
  const outcomes = readScore(decision)?.outcomes ?? []
  if (outcomes.length === 0) return null
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <header className={styles.panelHead}>
        <h2 id={id}>What follows in a session</h2>
      </header>
      <Table label="Outcomes of sessions" columns={columns} rows={outcomes} rowKey={({ measure }) => measure} />
    </section>
  )
}
