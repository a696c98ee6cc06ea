// The verdict on the rule and the evidence behind it. It shows the bound that the evidence proves, never the plain share of right results.
import { useId } from 'react'
import { BoundBar, describeBound, VerdictBadge } from '../../decisions/Marks.tsx'
import { type Decision, readConfig, readScore, type Score, type Transition } from '../../decisions/score.ts'
import {
  describeNextProof,
  isHeldByPerson,
  nameAge,
  nameResults,
  nameTrials,
  servedAge,
} from '../../decisions/wording.ts'
import { countOf, formatCount, formatEvidenceOf, formatFraction } from '../../format/index.ts'
import styles from './decision.module.css'

type PanelProps = { readonly decision: Decision; readonly trail: readonly Transition[] }

export function VerdictPanel({ decision, trail }: PanelProps) {
  const id = useId()
  const score = readScore(decision)
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <header className={styles.panelHead}>
        <h2 id={id}>Verdict</h2>
        <VerdictBadge decision={decision} />
      </header>
      {decision.state === 'active' && score?.isProven !== true && <Unproven decision={decision} />}
      {isHeldByPerson(decision, trail) && (
        <p className={styles.unproven}>
          A person sent this rule back to shadow. It continues to be measured, but only a person activates it again.
        </p>
      )}
      {score === null ? (
        <p className={styles.muted}>{whyNothing(decision)}</p>
      ) : (
        <>
          {decision.state === 'disabled' && score.isBreached ? (
            <p data-verdict>
              More results were wrong than are allowed: while the rule served, {formatCount(score.watch.wrong)} of{' '}
              {formatCount(score.watch.trials)} calls that ran for real returned another result than the stored one.
              Trials since then are shown below, and none of them was served.
            </p>
          ) : (
            <>
              <BoundBar decision={decision} />
              <p className={styles.verdict} data-verdict>
                {describeVerdict(decision, score)}
              </p>
              <p className={styles.muted}>{describeBound(decision.type, score)}.</p>
            </>
          )}
          <Served decision={decision} score={score} />
          <Lacking decision={decision} score={score} />
        </>
      )}
    </section>
  )
}

const whyNothing = ({ state }: Decision): string => {
  if (state === 'shadow')
    return 'The service has not evaluated this rule since it was moved to shadow. The next pass evaluates it. The figures below are older.'
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

/** `For results up to 1 min old · Evidence 14.2 of 20 · 61 periods of 1 min · 3 of 412 trials wrong · at most 3.9 % of served results wrong (95 % confidence) · allowed 5 %`. */
function describeVerdict({ type }: Decision, score: Score): string {
  const isUnread = type === 'suppress_dead'
  const { evidence, evidenceNeeded, blocks, blockS, trials, wrong, wrongShareUpper, alpha, floor } = score
  const what = isUnread ? 'of sessions use the result' : 'of served results wrong'
  return [
    ...(isUnread ? [] : [`For ${nameResults(score)}`]),
    `Evidence ${formatEvidenceOf(evidence, evidenceNeeded)}`,
    `${countOf(blocks, 'period')} of ${nameAge(blockS)}`,
    `${formatCount(wrong)} of ${formatCount(trials)} ${nameTrials(type, trials)} ${isUnread ? 'used the result' : 'wrong'}`,
    `at most ${formatFraction(wrongShareUpper)} ${what} (${formatFraction(1 - alpha)} confidence)`,
    `allowed ${formatFraction(1 - floor)}`,
  ].join(' · ')
}

type Props = { readonly decision: Decision; readonly score: Score }

/** Describes what the rule serves now, and how the calls that still run for real have compared. */
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
        ? 'No call ran for real since then.'
        : `Since then ${formatCount(watch.wrong)} of ${formatCount(watch.trials)} ${isUnread ? 'held-out sessions used the result' : 'calls that ran for real were wrong'}.`}
    </p>
  )
}

/** What is missing until the next proof. */
function Lacking({ decision, score }: Props) {
  if (decision.state === 'disabled') return null
  return describeNextProof(score).map((sentence) => <p key={sentence}>{sentence}</p>)
}
