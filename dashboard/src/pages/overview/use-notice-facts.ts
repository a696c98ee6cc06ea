// Loads the facts that the notices of the overview show.
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { usePageWindow } from '../../app/page-window.tsx'
import { newestMovesQuery } from '../../decisions/queries.ts'
import { type Scope, savingsQuery } from '../../stats/queries.ts'
import { readPeriod } from '../usage/period.ts'
import { usageQuery } from '../usage/queries.ts'
import { disabledIn, listTrips, losingRules } from './facts.ts'
import { disabledRulesQuery, findingCountsQuery } from './queries.ts'

export type Trip = { readonly decision: Schemas['Decision']; readonly move: Schemas['DecisionTransition'] }

export type NoticeFacts = {
  /** Whether each query has succeeded or failed. Until then, a new notice could push the page below it down. */
  readonly isReady: boolean
  /** Which facts are missing because their query failed. */
  readonly missing: readonly string[]
  /** Sends the queries that failed again. */
  readonly retry: () => void
  readonly usage: Schemas['Usage'] | undefined
  readonly criticalFindings: number
  readonly losing: Schemas['Savings']['decisions']
  /** Rules that the gate disabled. Rules that a person disabled are left out, since people know of them. */
  readonly trips: readonly Trip[]
}

/** Returns whether the query has neither succeeded nor failed yet. */
export const isOpen = ({ isPending, failureCount }: Pick<UseQueryResult, 'isPending' | 'failureCount'>): boolean =>
  isPending && failureCount === 0

type Query = Pick<UseQueryResult, 'data' | 'error'> & { refetch(): Promise<unknown> }

const hasNothing = ({ data, error }: Query): boolean => error !== null && data === undefined

export function useNoticeFacts(scope: Scope): NoticeFacts {
  const { workspaceId } = scope
  const { nowMs } = usePageWindow()
  const usage = useQuery(usageQuery(workspaceId, readPeriod(nowMs)))
  const counts = useQuery(findingCountsQuery(workspaceId))
  const savings = useQuery(savingsQuery(scope))
  const disabled = useQuery(disabledRulesQuery(workspaceId))
  const ended = disabledIn(disabled.data ?? [], scope.window)
  const trails = useQueries({ queries: ended.map(({ id }) => newestMovesQuery(workspaceId, id)) })
  const sources: readonly { readonly about: string; readonly queries: readonly Query[] }[] = [
    { about: 'the quota', queries: [usage] },
    { about: 'critical findings', queries: [counts] },
    { about: 'rules that cost more than they save', queries: [savings] },
    { about: 'rules that were stopped', queries: [disabled, ...trails] },
  ]
  const failed = sources.flatMap(({ queries }) => queries).filter(hasNothing)
  return {
    isReady: ![usage, counts, savings, disabled, ...trails].some(isOpen),
    missing: sources.flatMap(({ about, queries }) => (queries.some(hasNothing) ? [about] : [])),
    retry: () => void Promise.all(failed.map((query) => query.refetch())),
    usage: usage.data,
    criticalFindings: counts.data?.by_severity.critical.open ?? 0,
    losing: savings.data === undefined ? [] : losingRules(savings.data),
    trips: listTrips(
      ended,
      trails.map(({ data }) => data),
    ),
  }
}
