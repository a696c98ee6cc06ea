// The verdict on the rule and the evidence behind it. It shows the bound that the evidence proves, never the plain share of right results.
import { useId } from 'react'
import { BoundBar, describeBound, VerdictBadge } from '../../decisions/Marks.tsx'
import { type Decision, readConfig, readScore, type Score } from '../../decisions/score.ts'
import { nameAge, nameTrials, servedAge } from '../../decisions/wording.ts'
import { countOf, exact, formatCount, formatDuration, formatEvidenceOf, formatFraction } from '../../format/index.ts'
import styles from './decision.module.css'

export function VerdictPanel({ decision }: { readonly decision: Decision }) {
  const id = useId()
  const score = readScore(decision)
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <header className={styles.panelHead}>
        <h2 id={id}>Verdict</h2>
        <VerdictBadge decision={decision} />
      </header>
      {decision.state === 'active' && score?.isProven !== true && <Unproven decision={decision} />}
      {score === null ? (
        <p className={styles.muted}>{whyNothing(decision)}</p>
      ) : (
        <>
          <BoundBar decision={decision} />
          <p className={styles.verdict} data-verdict>
            {describeVerdict(decision, score)}
          </p>
          <p className={styles.muted}>{describeBound(decision.type, score)}.</p>
          {decision.state === 'disabled' && score.isBreached && (
            <p>
              More results were wrong than are allowed. The evidence began anew then, and this is what has come since;
              what it was before is in the chart and in the audit trail.
            </p>
          )}
          <Served decision={decision} score={score} />
          <Lacking decision={decision} score={score} />
        </>
      )}
    </section>
  )
}

const whyNothing = ({ state }: Decision): string => {
  if (state === 'shadow') return 'The service has not evaluated this rule yet. It does so within some seconds.'
  if (state === 'active') return 'Nothing has been measured since the rule became active.'
  return 'Nothing is measured before a rule is in shadow.'
}

function Unproven({ decision }: { readonly decision: Decision }) {
  const { freshnessS } = readConfig(decision)
  return (
    <p className={styles.unproven}>
      <strong>Not proven.</strong> A person activated this rule without a proof.
      {decision.type === 'reuse_identity' &&
        freshnessS !== null &&
        ` It serves results up to ${nameAge(freshnessS)} old, from the second equal result on.`}{' '}
      The service disables it when its results turn out to be wrong.
    </p>
  )
}

/** `Evidence 14.2 of 20 · 61 periods of 1 min · 3 of 412 trials wrong · at most 3.9 % of served results wrong (α 0.05) · allowed 5 %`. */
function describeVerdict({ type }: Decision, score: Score): string {
  const isUnread = type === 'suppress_dead'
  const { evidence, evidenceNeeded, blocks, blockS, trials, wrong, wrongShareUpper, alpha, floor } = score
  const what = isUnread ? 'of sessions use the result' : 'of served results wrong'
  return [
    `Evidence ${formatEvidenceOf(evidence, evidenceNeeded)}`,
    `${countOf(blocks, 'period')} of ${nameAge(blockS)}`,
    `${formatCount(wrong)} of ${formatCount(trials)} ${nameTrials(type, trials)} ${isUnread ? 'used the result' : 'wrong'}`,
    `at most ${formatFraction(wrongShareUpper)} ${what} (α ${exact(alpha)})`,
    `allowed ${formatFraction(1 - floor)}`,
  ].join(' · ')
}

type Props = { readonly decision: Decision; readonly score: Score }

/** Describes what the rule serves now, and how its held-out calls have compared. */
function Served({ decision, score }: Props) {
  const { inputs, watch, isProven, isForced } = score
  // Measurements from before a forced activation say nothing about what the rule serves.
  if (decision.state !== 'active' || (!isProven && !isForced)) return null
  const age = servedAge(decision, score)
  const isUnread = decision.type === 'suppress_dead'
  return (
    <p>
      {isUnread
        ? 'It serves the calls of the tool.'
        : `It serves ${inputs === null ? 'known inputs' : `${formatCount(inputs)} ${inputs === 1 ? 'input' : 'inputs'}`}${age === null ? '' : `, results up to ${nameAge(age)} old`}.`}{' '}
      {watch.trials === 0
        ? 'No call was held out since then.'
        : `Since then ${formatCount(watch.wrong)} of ${formatCount(watch.trials)} held-out ${isUnread ? 'sessions used the result' : 'calls were wrong'}.`}
    </p>
  )
}

function Lacking({ decision, score: { lack, isProven } }: Props) {
  if (lack === null || lack.blocks === 0 || decision.state === 'disabled') return null
  const goal = lack.freshnessS === null ? 'the proof' : `the proof for results up to ${nameAge(lack.freshnessS)} old`
  const blocks = `${countOf(lack.blocks, 'more period')} without a wrong one`
  const time =
    lack.timeS === null
      ? 'the time is unknown before the first trial'
      : `about ${formatDuration(lack.timeS * 1_000)} at the present rate`
  return (
    <p>
      {isProven ? 'Next: ' : 'Missing: '}
      {goal} takes {blocks}, {time}.
    </p>
  )
}
