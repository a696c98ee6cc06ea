// The board: one column for each state, in the order of the lifecycle. Cards cannot be dragged; the menu of a card lists its moves.
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { type State, stateMeanings, states } from '../../decisions/lifecycle.ts'
import { type DecisionFilters, decisionsQuery } from '../../decisions/queries.ts'
import type { Decision } from '../../decisions/score.ts'
import { useAgentNames } from '../../decisions/use-names.ts'
import { medianDays, sumWorth } from '../../decisions/worth.ts'
import { formatCount, formatDuration, formatUsdSum } from '../../format/index.ts'
import { joinPages } from '../../list/join-pages.ts'
import { DecisionState, Link, Panel } from '../../ui/index.ts'
import { Card } from './Card.tsx'
import { DisabledCards } from './DisabledCards.tsx'
import styles from './decisions.module.css'
import { NoMatch } from './NoMatch.tsx'

const columnHeight = 96
const dayMs = 86_400_000

type Query = UseInfiniteQueryResult<InfiniteData<Decision[]>>
type Props = { readonly workspaceId: string; readonly filters: DecisionFilters; readonly onClear: () => void }

export function Board({ workspaceId, filters, onClear }: Props) {
  const nameAgent = useAgentNames(workspaceId)
  const queries: Readonly<Record<State, Query>> = {
    proposed: useInfiniteQuery(decisionsQuery(workspaceId, { ...filters, state: 'proposed' })),
    shadow: useInfiniteQuery(decisionsQuery(workspaceId, { ...filters, state: 'shadow' })),
    active: useInfiniteQuery(decisionsQuery(workspaceId, { ...filters, state: 'active' })),
    disabled: useInfiniteQuery(decisionsQuery(workspaceId, { ...filters, state: 'disabled' })),
  }
  const isEmpty = states.every((state) => queries[state].data?.pages.flat().length === 0)
  if (isEmpty) return <NoMatch workspaceId={workspaceId} filters={filters} onClear={onClear} />
  return (
    <div className={styles.board}>
      {states.map((state) => (
        <Panel<InfiniteData<Decision[]>>
          key={state}
          title={`Decisions that are ${state}`}
          isTitled={false}
          query={queries[state]}
          height={columnHeight}
        >
          {({ pages }) => (
            <>
              <ColumnHead state={state} decisions={joinPages(pages)} hasMore={queries[state].hasNextPage} />
              <Cards workspaceId={workspaceId} state={state} decisions={joinPages(pages)} nameAgent={nameAgent} />
              {queries[state].hasNextPage && (
                <p className={styles.more}>
                  <Link to="/w/$workspace_id/decisions" search={{ view: 'list', state }}>
                    The rest is in the list
                  </Link>
                </p>
              )}
            </>
          )}
        </Panel>
      ))}
    </div>
  )
}

const emptyColumns: Readonly<Record<State, string>> = {
  proposed: 'No rule waits to be measured.',
  shadow: 'No rule is being measured.',
  active: 'No rule serves stored results.',
  disabled: 'No rule is disabled.',
}

type ColumnProps = { readonly state: State; readonly decisions: readonly Decision[] }

function ColumnHead({ state, decisions, hasMore }: ColumnProps & { readonly hasMore: boolean }) {
  const days = medianDays(decisions, Date.now())
  const worth = state === 'disabled' ? null : sumWorth(decisions)
  return (
    <div className={styles.columnHead}>
      <p>
        <DecisionState state={state} />{' '}
        <b>
          {formatCount(decisions.length)}
          {hasMore && '+'}
        </b>
      </p>
      <p className={styles.columnFacts}>
        <span>{stateMeanings[state]}</span>
        {days !== null && <span>median {formatDuration(days * dayMs)} in this state</span>}
        {worth !== null && (
          <span title={worth.unknown === 0 ? undefined : `${formatCount(worth.unknown)} rules have no price yet`}>
            {formatUsdSum(worth.usd, worth.unknown)} a month, {worth.kind}
          </span>
        )}
      </p>
    </div>
  )
}

type CardsProps = ColumnProps & {
  readonly workspaceId: string
  readonly nameAgent: (agentId: string | null) => string | null
}

function Cards({ workspaceId, state, decisions, nameAgent }: CardsProps) {
  if (decisions.length === 0) return <p className={styles.none}>{emptyColumns[state]}</p>
  if (state === 'disabled')
    return <DisabledCards workspaceId={workspaceId} decisions={decisions} nameAgent={nameAgent} />
  return (
    <ul className={styles.cards}>
      {decisions.map((decision) => (
        <Card key={decision.id} workspaceId={workspaceId} decision={decision} nameAgent={nameAgent} />
      ))}
    </ul>
  )
}
