import { BoundBar, ClaimIcon, describeBound, VerdictBadge } from '../../decisions/Marks.tsx'
import { MoveMenu } from '../../decisions/Moves.tsx'
import { type Decision, readConfig, readScore, type Score } from '../../decisions/score.ts'
import { describeBasis, describeScope, nameAge, nameTrials } from '../../decisions/wording.ts'
import { findWorth } from '../../decisions/worth.ts'
import { formatCount, formatEvidenceOf, formatUsd } from '../../format/index.ts'
import { Link } from '../../ui/index.ts'
import styles from './decisions.module.css'

type Props = {
  readonly workspaceId: string
  readonly decision: Decision
  readonly nameAgent: (agentId: string | null) => string | null
}

export function Card({ workspaceId, decision, nameAgent }: Props) {
  const { toolName, agentId } = readConfig(decision)
  const score = readScore(decision)
  const worth = decision.state === 'disabled' ? null : findWorth(decision)
  return (
    <li className={styles.card}>
      <div className={styles.cardHead} data-row-link>
        <ClaimIcon type={decision.type} />
        <Link
          to="/w/$workspace_id/decisions/$decision_id"
          params={{ decision_id: decision.id }}
          className={styles.cardName}
        >
          {toolName}
        </Link>
        <MoveMenu workspaceId={workspaceId} decision={decision} />
      </div>
      <p className={styles.scope}>{describeScope(decision, nameAgent(agentId))}</p>
      {score !== null && (
        <>
          <BoundBar decision={decision} />
          <p className={styles.evidence}>{describeBound(decision.type, score)}</p>
          <p className={styles.evidence}>{describeProgress(decision, score)}</p>
        </>
      )}
      <p className={styles.cardFoot}>
        <VerdictBadge decision={decision} />
        {worth !== null && (
          <span
            className={worth.usd < 0 ? styles.bad : ''}
            title={`From ${worth.basis === null ? 'the calls that it serves' : describeBasis(worth.basis)}`}
          >
            {formatUsd(worth.usd)} a month
          </span>
        )}
      </p>
    </li>
  )
}

/** Describes evidence and trials. A rule about unread results also needs a least number of sessions, which is shown until it is reached. */
function describeProgress(decision: Decision, score: Score): string {
  const { minSamples } = readConfig(decision)
  const age = score.freshnessS === null ? '' : `up to ${nameAge(score.freshnessS)} old: `
  const evidence = `${age}evidence ${formatEvidenceOf(score.evidence, score.evidenceNeeded)}`
  const isShort = decision.type === 'suppress_dead' && minSamples !== null && score.trials < minSamples
  const least = isShort ? ` of ${formatCount(minSamples)}` : ''
  return `${evidence} · ${formatCount(score.trials)}${least} ${nameTrials(decision.type, score.trials)}`
}
