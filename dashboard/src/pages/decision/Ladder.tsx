// The age limits of the rule, lowest first: which are proven, which one is served, and how close the next one is to its proof.
import { Check } from 'lucide-react'
import { useId } from 'react'
import { ShareBar } from '../../charts/index.ts'
import { type Decision, type Rung, readScore, type Score, shareOfProof } from '../../decisions/score.ts'
import { nameAge, servedAge } from '../../decisions/wording.ts'
import { countOf, formatCount, formatDuration, formatEvidenceOf, formatFraction } from '../../format/index.ts'
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
        <ol className={styles.ladder}>
          {score.rungs.map((rung) => (
            <Step key={rung.freshnessS} decision={decision} score={score} rung={rung} />
          ))}
        </ol>
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
        {!rung.isProven && rung.trials > 0 && <ShareBar part={share} whole={1} label={wordShare(share)} slot={1} />}
      </span>
      <span className={styles.muted}>{describeStep(rung, score, share, isMeasured)}</span>
    </li>
  )
}

const wordShare = (share: number): string => `${formatFraction(share)} of the evidence`

function describeStep(rung: Rung, { evidenceNeeded }: Score, share: number, isMeasured: boolean): string {
  const { trials, wrong, blocks, evidence, isProven, lack } = rung
  if (trials === 0) return 'no trials'
  const seen = `${formatCount(wrong)} of ${formatCount(trials)} wrong in ${countOf(blocks, 'period')}`
  if (isProven) return seen
  const numbers = formatEvidenceOf(evidence, evidenceNeeded)
  const progress = share === 0 ? `evidence ${numbers}` : `${wordShare(share)} (${numbers})`
  return [
    progress,
    ...(isMeasured && lack.timeS !== null ? [`about ${formatDuration(lack.timeS * 1_000)} at the rate so far`] : []),
    seen,
  ].join(', ')
}
