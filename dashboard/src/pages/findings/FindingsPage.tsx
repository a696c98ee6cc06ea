// The page of findings: a list that is sorted by cost, filters, and a panel for one finding.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useSearch } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { useAgents } from '../../agents/use-agents.ts'
import { useMissingRole } from '../../app/use-role.ts'
import { formatCount } from '../../format/index.ts'
import { AsApi } from '../../list/AsApi.tsx'
import { useChangeSearch } from '../../trace/use-change-search.ts'
import { Button, ErrorNote, Link, Page, QueryErrors, Skeleton, useSkeleton } from '../../ui/index.ts'
import { describeIgnored, type Search } from '../../window/index.ts'
import { findingCountsQuery } from '../overview/queries.ts'
import { Dock } from './Dock.tsx'
import { FindingFilters } from './FindingFilters.tsx'
import { FindingPanel } from './FindingPanel.tsx'
import { FindingTable, toggleIn } from './FindingTable.tsx'
import styles from './findings.module.css'
import { makeFindingQuery, readFindingSearch, type Status } from './list-search.ts'
import { NoFindings } from './NoFindings.tsx'
import { type Finding, findingListQuery } from './queries.ts'
import { findNeighbour, listRows } from './rows.ts'
import { listLinks, useRowKeys } from './use-row-keys.ts'
import { useStatusChanges } from './use-status-changes.ts'

const route = getRouteApi('/w/$workspace_id/findings')

export function FindingsPage() {
  const { workspace_id: workspaceId } = route.useParams()
  const search: Search = useSearch({ strict: false, select: (all) => all as Search })
  const { filters, ignored } = readFindingSearch(search)
  const query = makeFindingQuery(filters)
  const list = useInfiniteQuery(findingListQuery(workspaceId, query))
  const summary = useQuery(findingCountsQuery(workspaceId))
  const { data: counts } = summary
  const { data: agents } = useAgents(workspaceId)
  const changes = useStatusChanges(workspaceId)
  const missingRole = useMissingRole(workspaceId, 'member')
  const phase = useSkeleton(list.isPending)
  const table = useRef<HTMLDivElement>(null)
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const filter = useChangeSearch({ isStep: true })
  const change = useChangeSearch({ isStep: false })

  const agentNames = useMemo(() => new Map(agents?.map(({ id, name }) => [id, name])), [agents])
  const rows = useMemo(
    () => listRows(list.data?.pages ?? [], changes.changing, query.status),
    [list.data, changes.changing, query.status],
  )
  // Findings that have left the list are no longer selected.
  const selected = rows.filter(({ id }) => picked.has(id))
  const shownId = filters.finding ?? null
  const known = rows.find(({ id }) => id === shownId)
  const show = (id: string | null): void => change({ finding: id })

  const move = (findings: readonly Pick<Finding, 'id' | 'status'>[], to: Status): void => {
    if (missingRole !== undefined) return
    const leaving = new Set(query.status === undefined || query.status === to ? [] : findings.map(({ id }) => id))
    const next = leaving.size === 0 ? null : findNeighbour(rows, leaving)
    changes.change(findings, to)
    setPicked(new Set())
    if (leaving.size === 0) return
    if (known !== undefined && leaving.has(known.id)) show(next)
    const left = rows.filter(({ id }) => !leaving.has(id))
    focusRow(
      table,
      left.findIndex(({ id }) => id === next),
    )
  }

  /** The undo button disappears, so the focus moves to the first finding that is back. */
  const undo = (): void => {
    const [first] = changes.done?.before.keys() ?? []
    changes.undo()
    if (first === undefined) return
    requestAnimationFrame(() => table.current?.querySelector<HTMLElement>(`tbody a[href*="finding=${first}"]`)?.focus())
  }

  useRowKeys({
    table,
    rows,
    shownId,
    selected,
    show,
    toggle: (id) => setPicked(toggleIn(picked, id)),
    clear: () => setPicked(new Set()),
    move,
    undo,
  })

  const note = describeIgnored(ignored)
  const open = counts?.by_status.open ?? 0
  return (
    <Page
      title="Findings"
      tabTitle={open === 0 ? 'Findings' : `(${formatCount(open)}) Findings`}
      actions={<AsApi path="findings" query={query} workspaceId={workspaceId} />}
    >
      {note !== null && <p role="status">{note}</p>}
      <FindingFilters workspaceId={workspaceId} filters={filters} change={filter} />
      <QueryErrors queries={[list, summary]} />
      {changes.error !== null && <ErrorNote error={changes.error} />}
      <div className={styles.columns}>
        <div ref={table} className={styles.list} aria-busy={list.isPlaceholderData}>
          {phase === 'skeleton' && <Skeleton height={400} />}
          {phase === 'content' && list.data !== undefined && rows.length === 0 && !list.hasNextPage && (
            <NoFindings workspaceId={workspaceId} filters={filters} counts={counts} change={filter} />
          )}
          {phase === 'content' && rows.length > 0 && (
            <div className={list.isPlaceholderData ? styles.stale : ''}>
              <p className={styles.note}>
                An attested tool is listed if its calls repeat within 10 minutes. The rules of all attested tools, with
                what they save, are under <Link to="/w/$workspace_id/decisions">Decisions</Link>.
              </p>
              <FindingTable
                rows={rows}
                search={search}
                agentNames={agentNames}
                selected={new Set(selected.map(({ id }) => id))}
                onSelect={setPicked}
                shownId={shownId}
                hasStatus={query.status === undefined}
              />
            </div>
          )}
          {list.hasNextPage && (
            <p className={styles.more}>
              <Button onClick={() => void list.fetchNextPage()}>
                {list.isFetchingNextPage ? 'Loading more' : 'Load more'}
              </Button>
            </p>
          )}
        </div>
        {shownId !== null && (
          <FindingPanel
            key={shownId}
            workspaceId={workspaceId}
            findingId={shownId}
            known={known}
            agentNames={agentNames}
            unavailable={missingRole}
            onChange={move}
            onClose={() => show(null)}
          />
        )}
      </div>
      <Dock
        findings={selected}
        unavailable={missingRole}
        changes={changes}
        onChange={move}
        onUndo={undo}
        onClear={() => setPicked(new Set())}
      />
    </Page>
  )
}

/** Focuses a row in the next frame, when the leaving rows are gone. */
function focusRow(table: React.RefObject<HTMLElement | null>, at: number): void {
  requestAnimationFrame(() => listLinks(table.current)[at]?.focus())
}
