// The page of all decisions, as a board or as a list.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useShortcut } from '../../app/shortcuts/use-shortcut.ts'
import { MoveDialogs } from '../../decisions/Moves.tsx'
import { type DecisionFilters, decisionCountsQuery, queryOf } from '../../decisions/queries.ts'
import { AsApi } from '../../list/AsApi.tsx'
import { useChangeSearch } from '../../trace/use-change-search.ts'
import { Link, Page } from '../../ui/index.ts'
import { describeIgnored, type Search } from '../../window/index.ts'
import { Board } from './Board.tsx'
import styles from './decisions.module.css'
import { Filters } from './Filters.tsx'
import { List } from './List.tsx'
import { NothingProposed } from './NothingProposed.tsx'
import { filterNames, readDecisionSearch, type View, views } from './search.ts'
import { readSorting } from './sort.ts'

const route = getRouteApi('/w/$workspace_id/decisions')

const viewNames: Readonly<Record<View, string>> = { board: 'Board', list: 'List' }

export function DecisionsPage() {
  const { workspace_id: workspaceId } = route.useParams()
  const search: Search = useSearch({ strict: false, select: (all) => all as Search })
  const { filters, ignored } = readDecisionSearch(search)
  const { view = 'board', order_by: order, ...asked } = filters
  // The board shows all states, one as each column, so it ignores the filter of the state.
  const shown: DecisionFilters = view === 'board' ? { ...asked, state: undefined } : asked
  const counts = useQuery(decisionCountsQuery(workspaceId))
  const change = useChangeSearch({ isStep: true })
  const box = useRef<HTMLDivElement>(null)
  useLinkKeys(box)
  const clear = (): void => change(Object.fromEntries(filterNames.map((name) => [name, null])))
  const note = describeIgnored(ignored)
  const isEmpty = counts.data?.total === 0
  return (
    <Page
      title="Decisions"
      actions={
        <>
          <nav className={styles.views} aria-label="View">
            {views.map((one) => (
              <Link
                key={one}
                to="/w/$workspace_id/decisions"
                search={one === view ? search : { ...carryFilters(search), view: one === 'board' ? null : one }}
                isView
              >
                {viewNames[one]}
              </Link>
            ))}
          </nav>
          <AsApi path="decisions" query={queryOf(shown)} workspaceId={workspaceId} />
        </>
      }
    >
      {note !== null && <p role="status">{note}</p>}
      {isEmpty ? (
        <NothingProposed workspaceId={workspaceId} />
      ) : (
        <MoveDialogs workspaceId={workspaceId}>
          <Filters workspaceId={workspaceId} filters={shown} hasState={view === 'list'} onClear={clear} />
          <div ref={box}>
            {view === 'board' ? (
              <Board workspaceId={workspaceId} filters={shown} onClear={clear} />
            ) : (
              <List workspaceId={workspaceId} filters={shown} sorting={readSorting(order)} onClear={clear} />
            )}
          </div>
        </MoveDialogs>
      )}
    </Page>
  )
}

const carryFilters = (search: Search): Search =>
  Object.fromEntries(
    Object.entries(search).filter(([name]) => name !== 'state' && filterNames.some((filter) => filter === name)),
  )

/** J and K move the focus from decision to decision. */
function useLinkKeys(box: React.RefObject<HTMLElement | null>): void {
  const move = (by: -1 | 1): void => {
    const links = [...(box.current?.querySelectorAll<HTMLElement>('[data-row-link] a') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    links[Math.min(links.length - 1, Math.max(0, at + by))]?.focus()
  }
  useShortcut('j', 'Next decision', () => move(1))
  useShortcut('k', 'Previous decision', () => move(-1))
}
