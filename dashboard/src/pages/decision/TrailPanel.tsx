// The audit trail of the rule: every transition with its actor and its reason. Entries never change.
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { readScore, type Transition } from '../../decisions/score.ts'
import { useActorNames } from '../../decisions/use-names.ts'
import { countOf, formatCount, formatEvidenceOf, formatFraction } from '../../format/index.ts'
import { Button, DecisionState, Panel, Time } from '../../ui/index.ts'
import styles from './decision.module.css'

type Props = { readonly workspaceId: string; readonly query: UseInfiniteQueryResult<Transition[]> }

export function TrailPanel({ workspaceId, query }: Props) {
  const nameActor = useActorNames(workspaceId)
  return (
    <Panel title="Audit trail" query={query} height={120}>
      {(trail) => (
        <>
          <ol className={styles.trail} aria-label="Audit trail, newest first" reversed>
            {trail.map((move) => (
              <li key={move.id} data-transition={move.id}>
                <Time time={move.at} />
                <span className={styles.move}>
                  {move.from_state === null ? (
                    <span className={styles.muted}>new</span>
                  ) : (
                    <DecisionState state={move.from_state} />
                  )}
                  <ArrowRight size={12} role="img" aria-label="to" />
                  <DecisionState state={move.to_state} isTripped={isTrip(move)} />
                </span>
                <span>
                  by <b>{nameActor(move)}</b>
                  {move.reason === null ? '' : `: ${move.reason}`}
                  <Measures measures={move.measures} />
                </span>
              </li>
            ))}
          </ol>
          {query.hasNextPage && (
            <p>
              <Button
                unavailable={query.isFetchingNextPage ? 'Loading…' : undefined}
                onClick={() => void query.fetchNextPage()}
              >
                {query.isFetchingNextPage ? 'Loading…' : 'Load older moves'}
              </Button>
            </p>
          )}
        </>
      )}
    </Panel>
  )
}

const isTrip = ({ to_state: to, actor }: Transition): boolean => to === 'disabled' && actor === 'gate'

/** Shows what had been measured at the time of the transition. */
function Measures({ measures }: Pick<Transition, 'measures'>) {
  const form = measures?.['score']
  const score = typeof form === 'object' && form !== null ? readScore({ score: form as Record<string, unknown> }) : null
  // After a breach the evidence begins anew; the reason states what was wrong.
  if (score === null || (score.isBreached && !score.isProven)) return null
  return (
    <span className={styles.measures}>
      evidence {formatEvidenceOf(score.evidence, score.evidenceNeeded)} · {formatCount(score.wrong)} of{' '}
      {formatCount(score.trials)} wrong in {countOf(score.blocks, 'period')} · at most{' '}
      {formatFraction(score.wrongShareUpper)} wrong
    </span>
  )
}
