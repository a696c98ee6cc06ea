// Disabled rules, in one fold for each reason. The reason is in the trail of each rule, which takes one request a rule, so only the newest
// rules are shown.
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { classifyEnding, type Ending, endingNames, endings } from '../../decisions/ending.ts'
import { newestMovesQuery } from '../../decisions/queries.ts'
import type { Decision, Transition } from '../../decisions/score.ts'
import { formatCount } from '../../format/index.ts'
import { Card } from './Card.tsx'
import styles from './decisions.module.css'

const mostShown = 24
// Up to this number the folds are open: readers look for so few rules by name, and would not find them in closed folds.
const mostOpen = 6
// The trail of a disabled rule grows only with its next move, and a move invalidates it.
const rarelyMs = 600_000

/** Of decisions whose trail is not loaded yet, or could not be. */
const notes = ['pending', 'failed'] as const
type Fold = Ending | (typeof notes)[number]
const foldNames: Readonly<Record<Fold, string>> = {
  ...endingNames,
  pending: 'Reason is being loaded',
  failed: 'Reason not loaded',
}

type Trail = Pick<UseQueryResult<Transition[]>, 'data' | 'isPending' | 'failureCount'>

const readEnding = (trail: Trail | undefined): Fold =>
  trail === undefined || trail.isPending ? 'pending' : (classifyEnding(trail.data ?? []) ?? 'failed')

/** Whether the first response for the trail is still to come. A further attempt may take long, so it holds up no other card. */
const isAwaited = ({ isPending, failureCount }: Trail): boolean => isPending && failureCount === 0

/**
 * The fold of each card. A card that changes its fold is mounted anew and shifts others, so new cards stay together until the reasons of
 * all of them are known.
 */
function useFolds(ids: readonly string[], trails: readonly Trail[]): readonly Fold[] {
  const sorted = useRef<ReadonlySet<string>>(new Set())
  const isWaiting = trails.some(isAwaited)
  useEffect(() => {
    if (!isWaiting) sorted.current = new Set(ids)
  })
  return ids.map((id, at) => (isWaiting && !sorted.current.has(id) ? 'pending' : readEnding(trails[at])))
}

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
  const folds = useFolds(
    newest.map(({ id }) => id),
    trails,
  )
  const ended = newest.map((decision, at) => ({ decision, ending: folds[at] ?? 'pending' }))
  const older = decisions.length - newest.length
  return (
    <div className={styles.folds}>
      {[...endings, ...notes].map((ending) => {
        const own = ended.filter((one) => one.ending === ending)
        if (own.length === 0) return null
        return (
          <details key={ending} className={styles.fold} open={newest.length <= mostOpen}>
            <summary>
              {foldNames[ending]} <b>{formatCount(own.length)}</b>
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
