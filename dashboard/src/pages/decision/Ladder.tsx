// The age limits of the rule, lowest first: which are proven, which one is served, and how close the next one is to its proof.
import { Check } from 'lucide-react'
import { useId } from 'react'
import { ShareBar } from '../../charts/index.ts'
import { type Decision, type Rung, readScore, type Score, shareOfProof } from '../../decisions/score.ts'
import { nameAge, servedAge } from '../../decisions/wording.ts'
import { countOf, formatCount, formatDuration, formatFraction } from '../../format/index.ts'
import { Badge } from '../../ui/index.ts'
import styles from './decision.module.css'

export function Ladder({ decision }: { readonly decision: Decision }) {
  const id = useId()
  const score = readScore(decision)
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <header className={styles.panelHead}>
        <h2 id={id}>Age limits</h2>
      </header>
      {decision.type === 'suppress_dead' ? (
        <p className={styles.muted}>
          A rule about unread results is not about their age: it has one proof, by session, in periods of ten minutes.
        </p>
      ) : score === null || score.rungs.length === 0 ? (
        <p className={styles.muted}>
          The age up to which results are served is proven step by step, from 10 seconds up. Nothing is measured yet.
        </p>
      ) : (
        <>
          <p className={styles.muted}>
            {score.isBreached
              ? 'Counted since results were wrong too often for the limit that was served.'
              : 'A period is as long as the age limit, and counts if a call in it had a result to compare with.'}
          </p>
          <ol className={styles.ladder}>
            {score.rungs.map((rung) => (
              <Step key={rung.freshnessS} decision={decision} score={score} rung={rung} />
            ))}
          </ol>
        </>
      )}
    </section>
  )
}

type StepProps = { readonly decision: Decision; readonly score: Score; readonly rung: Rung }

function Step({ decision, score, rung }: StepProps) {
  const isMeasured = decision.state !== 'disabled'
  const isServing = score.isProven && servedAge(decision, score) === rung.freshnessS
  const share = shareOfProof(rung.evidence, score.evidenceNeeded)
  return (
    <li className={styles.step}>
      <b>{nameAge(rung.freshnessS)}</b>
      <span className={styles.stepState}>
        {rung.isProven && (
          <span className={styles.good}>
            <Check size={14} aria-hidden="true" /> proven
          </span>
        )}
        {isServing && <Badge tone="active">serving</Badge>}
        {!rung.isProven && rung.trials > 0 && (
          <ShareBar part={share} whole={1} label={`${formatFraction(share)} of the way to the proof`} slot={1} />
        )}
      </span>
      <span className={styles.muted}>{describeStep(rung, isMeasured)}</span>
    </li>
  )
}

/** The evidence is a factor, of which a share would mislead: what is left is counted in periods. */
function describeStep({ trials, wrong, blocks, isProven, lack }: Rung, isMeasured: boolean): string {
  if (trials === 0) return 'no trials'
  const seen = `${formatCount(wrong)} of ${formatCount(trials)} wrong in ${countOf(blocks, 'period')}`
  if (isProven || !isMeasured) return seen
  return [
    `${countOf(lack.blocks, 'more period')} without a wrong one`,
    ...(lack.timeS === null ? [] : [`about ${formatDuration(lack.timeS * 1_000)} at the rate so far`]),
    seen,
  ].join(', ')
}
