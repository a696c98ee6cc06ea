// The list of decisions with all columns, which can be sorted and read by screen readers.
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { type DecisionFilters, decisionsQuery } from '../../decisions/queries.ts'
import type { Decision } from '../../decisions/score.ts'
import { useAgentNames } from '../../decisions/use-names.ts'
import { formatCount } from '../../format/index.ts'
import { joinPages } from '../../list/join-pages.ts'
import { useChangeSearch } from '../../trace/use-change-search.ts'
import { Button, Panel, Table } from '../../ui/index.ts'
import { makeColumns } from './columns.tsx'
import styles from './decisions.module.css'
import { NoMatch } from './NoMatch.tsx'
import { readDecisionSearch } from './search.ts'
import { pressSort, readSorting, type Sorting, sortDecisions } from './sort.ts'

type Props = {
  readonly workspaceId: string
  readonly filters: DecisionFilters
  readonly sorting: Sorting | null
  readonly onClear: () => void
}

export function List({ workspaceId, filters, sorting, onClear }: Props) {
  const query = useInfiniteQuery(decisionsQuery(workspaceId, filters))
  const change = useChangeSearch({ isStep: false })
  const nameAgent = useAgentNames(workspaceId)
  const columns = makeColumns({
    workspaceId,
    nameAgent,
    sorting,
    onSort: (order) =>
      change((search) => ({ order_by: pressSort(readSorting(readDecisionSearch(search).filters.order_by), order) })),
  })
  return (
    <Panel<InfiniteData<Decision[]>>
      title="Decisions, most recently changed first"
      isTitled={false}
      query={query}
      height={320}
      empty={({ pages }) =>
        pages.flat().length === 0 ? <NoMatch workspaceId={workspaceId} filters={filters} onClear={onClear} /> : null
      }
    >
      {({ pages }) => {
        const rows = sortDecisions(joinPages(pages), sorting)
        return (
          <>
            <Table label="Decisions" columns={columns} rows={rows} rowKey={({ id }) => id} />
            <p className={styles.more}>
              {query.hasNextPage && (
                <Button
                  unavailable={query.isFetchingNextPage ? 'Loading…' : undefined}
                  onClick={() => void query.fetchNextPage()}
                >
                  {query.isFetchingNextPage ? 'Loading…' : 'Load more decisions'}
                </Button>
              )}{' '}
              {formatCount(rows.length)} {rows.length === 1 ? 'decision' : 'decisions'}
              {query.hasNextPage ? ' loaded and sorted.' : ', all that there are.'}
            </p>
          </>
        )
      }}
    </Panel>
  )
}
