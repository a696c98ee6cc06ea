// Charts of the evidence over time at every age limit, and of the times at which results were wrong.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Chart } from '../../charts/index.ts'
import { measurementsQuery } from '../../decisions/queries.ts'
import { type Decision, readScore, type Transition } from '../../decisions/score.ts'
import { useActorNames } from '../../decisions/use-names.ts'
import { nameResults, nameTrials } from '../../decisions/wording.ts'
import { exact, formatCount, formatEvidence, formatFraction } from '../../format/index.ts'
import { Panel, Time, useZone } from '../../ui/index.ts'
import styles from './decision.module.css'
import {
  listMoments,
  listWrongShares,
  makeGrid,
  makeLines,
  nameRung,
  numberMoments,
  type RungEvidence,
} from './grid.ts'
import { WrongTicks } from './WrongTicks.tsx'

type Measurements = Schemas['DecisionMeasurements']
type Props = {
  readonly workspaceId: string
  readonly decision: Decision
  readonly trail: readonly Transition[]
  /** The clock of the page, in milliseconds since 1970. */
  readonly nowMs: number
}

// Without the chart of wrong results, which is shown only if there were any.
const panelHeight = 390
const evidenceHeight = 200
const sharesHeight = 96

export function EvidencePanel(props: Props) {
  const { workspaceId, decision } = props
  const query = useQuery(measurementsQuery(workspaceId, decision.id))
  return (
    <Panel
      title="Evidence over time"
      query={query}
      height={query.data !== undefined && isEmpty(query.data) ? 0 : panelHeight}
      empty={(data) =>
        isEmpty(data) ? (
          <p className={styles.muted}>
            No period with a trial has ended yet. Evidence grows by periods, not by calls: a burst of calls is one
            observation.
          </p>
        ) : null
      }
    >
      {(data) => <Charts {...props} data={data} />}
    </Panel>
  )
}

const isEmpty = ({ rungs }: Measurements): boolean => rungs.every(({ points }) => points.length === 0)

function Charts({ workspaceId, decision, trail, nowMs, data }: Props & { readonly data: Measurements }) {
  const zone = useZone()
  const { rungs, alpha, floor, points } = data
  const needed = 1 / alpha
  const shown = findShown(rungs, decision)
  const isUnread = decision.type === 'suppress_dead'
  const { grid, moments, lines, shares, marks } = useMemo(() => {
    const happened = listMoments(trail.toReversed())
    const times = rungs.flatMap((rung) => rung.points.map(({ time }) => Date.parse(time)))
    const made = makeGrid([...times, ...happened.map(({ ms }) => ms)])
    return {
      grid: made,
      moments: happened,
      lines: makeLines(rungs, made),
      shares: [
        {
          key: 'wrong',
          label: isUnread ? 'Share that used it' : 'Share of wrong results',
          slot: 2 as const,
          values: listWrongShares(shown?.points ?? [], made),
        },
      ],
      marks: numberMoments(happened, made),
    }
  }, [rungs, trail, shown, isUnread])
  const thresholds = useMemo(
    () => ({
      evidence: { value: needed, label: `proven from ${formatEvidence(needed)} on` },
      wrong: { value: 1 - floor, label: `allowed ${formatFraction(1 - floor)}` },
    }),
    [needed, floor],
  )
  const shared = { ...grid, zone, nowMs, syncKey: 'evidence' }
  const last = points.at(-1)
  const score = readScore(decision)
  return (
    <div className={styles.charts}>
      <Chart
        {...shared}
        title="Evidence"
        summary={`A factor that starts at 1, on a logarithmic scale. A rule is proven when it reaches ${formatEvidence(needed)}; chance reaches this value in at most ${formatFraction(alpha)} of cases.`}
        unit="evidence"
        series={lines}
        marks={marks}
        threshold={thresholds.evidence}
        isLog
        height={evidenceHeight}
      />
      {shares.some(({ values }) => values.some((share) => share !== null && share > 0)) && (
        <Chart
          {...shared}
          title={isUnread ? 'Sessions that used the result' : 'Share of wrong results'}
          summary={`By time${shown === null || isUnread ? '' : `, ${nameRung(shown)}`}; ${formatFraction(1 - floor)} are allowed.`}
          unit="fraction"
          form="bars"
          series={shares}
          marks={marks}
          threshold={thresholds.wrong}
          height={sharesHeight}
        />
      )}
      <WrongTicks workspaceId={workspaceId} decision={decision} grid={grid} />
      {last !== undefined && (
        <p className={styles.muted} data-band-end={exact(last.lower)}>
          At the end of the last full period, <Time time={last.time} />
          {score !== null && score.freshnessS !== null && `, for ${nameResults(score)}`}: between{' '}
          {formatFraction(last.lower)} and {formatFraction(last.upper)} {isUnread ? 'unread' : 'right'}, after{' '}
          {formatCount(last.trial)} {nameTrials(decision.type, last.trial)}
          {shown?.points.at(-1)?.trials === 0 && ', before the evidence restarted'}.
        </p>
      )}
      <MomentList workspaceId={workspaceId} moments={moments} />
    </div>
  )
}

/** Returns the age limit whose trials are shown: that of the decision, otherwise the first one with points. */
function findShown(rungs: readonly RungEvidence[], decision: Decision): RungEvidence | null {
  const score = readScore(decision)
  const own = rungs.find(
    ({ freshness_s: age, forced }) => age === (score?.freshnessS ?? null) && forced === (score?.isForced ?? false),
  )
  return own ?? rungs.find(({ points }) => points.length > 0) ?? null
}

type MomentsProps = { readonly workspaceId: string; readonly moments: ReturnType<typeof listMoments> }

/** The legend of the numbers in the charts. */
function MomentList({ workspaceId, moments }: MomentsProps) {
  const nameActor = useActorNames(workspaceId)
  if (moments.length === 0) return null
  return (
    <ol className={styles.moments} aria-label="Marks in the charts">
      {moments.map(({ ms, what, move }, at) => (
        <li key={move.id}>
          <b>{at + 1}</b> {what}, <Time time={new Date(ms).toISOString()} isRelative />, by {nameActor(move)}
        </li>
      ))}
    </ol>
  )
}
