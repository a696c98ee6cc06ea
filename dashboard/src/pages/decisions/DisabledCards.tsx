// Disabled rules, in one fold for each reason. The reason is in the trail of each rule, which takes one request a rule, so only the newest
// rules are shown.
import { useQueries } from '@tanstack/react-query'
import { classifyEnding, endingNames, endings } from '../../decisions/ending.ts'
import { newestMovesQuery } from '../../decisions/queries.ts'
import type { Decision } from '../../decisions/score.ts'
import { formatCount } from '../../format/index.ts'
import { Card } from './Card.tsx'
import styles from './decisions.module.css'

const mostShown = 24
// Up to this number the folds are open: readers look for so few rules by name, and would not find them in closed folds.
const mostOpen = 6
// The trail of a disabled rule grows only with its next move, and a move invalidates it.
const rarelyMs = 600_000

type Props = {
  readonly workspaceId: string
  readonly decisions: readonly Decision[]
  readonly nameAgent: (agentId: string | null) => string | null
}

export function DisabledCards({ workspaceId, decisions, nameAgent }: Props) {
  const newest = decisions.slice(0, mostShown)
  const trails = useQueries({
    queries: newest.map(({ id }) => ({
      ...newestMovesQuery(workspaceId, id),
      staleTime: rarelyMs,
      refetchInterval: false as const,
    })),
  })
  if (trails.some(({ isPending }) => isPending)) return null
  const ended = newest.map((decision, at) => ({ decision, ending: classifyEnding(trails[at]?.data ?? []) }))
  const older = decisions.length - newest.length
  return (
    <div className={styles.folds}>
      {[...endings, null].map((ending) => {
        const own = ended.filter((one) => one.ending === ending)
        if (own.length === 0) return null
        return (
          <details key={ending} className={styles.fold} open={newest.length <= mostOpen}>
            <summary>
              {ending === null ? 'Reason not loaded' : endingNames[ending]} <b>{formatCount(own.length)}</b>
            </summary>
            <ul className={styles.cards}>
              {own.map(({ decision }) => (
                <Card key={decision.id} workspaceId={workspaceId} decision={decision} nameAgent={nameAgent} />
              ))}
            </ul>
          </details>
        )
      })}
      {older > 0 && <p className={styles.none}>{formatCount(older)} older ones are in the list.</p>}
    </div>
  )
}
