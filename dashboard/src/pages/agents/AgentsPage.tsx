// The list of all agents of a workspace with their figures, and how their cost changed.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useSearch } from '@tanstack/react-router'
import { agentsQuery } from '../../agents/queries.ts'
import { type Agents, useAllPages } from '../../agents/use-all-pages.ts'
import { usePageWindow } from '../../app/page-window.tsx'
import { AsApi } from '../../list/AsApi.tsx'
import { joinPages } from '../../list/join-pages.ts'
import { NothingStored } from '../../list/NothingStored.tsx'
import { windowBefore } from '../../stats/facts.ts'
import { breakdownQuery, seriesQuery } from '../../stats/queries.ts'
import { useChangeSearch } from '../../trace/use-change-search.ts'
import { useFindText } from '../../trace/use-find-text.ts'
import { Button, Empty, Page, Panel, QueryErrors, useZone } from '../../ui/index.ts'
import { describeIgnored, oneOf, readFilters, type Search } from '../../window/index.ts'
import { AgentFilters } from './AgentFilters.tsx'
import { AgentTable } from './AgentTable.tsx'
import { QuietNote } from './QuietNote.tsx'
import { figureOf, findAgents, joinAgents, orders, sortAgents } from './rows.ts'

const route = getRouteApi('/w/$workspace_id/agents')
const readers = { status: oneOf('active', 'idle'), order_by: oneOf(...orders) }
// The most groups that the service returns in one response.
const mostGroups = 100
const mostSeries = 20

export function AgentsPage() {
  const { workspace_id: workspaceId } = route.useParams()
  const search: Search = useSearch({ strict: false, select: (all) => all as Search })
  const { filters, ignored } = readFilters(search, readers)
  const change = useChangeSearch({ isStep: true })
  const [text, setText] = useFindText()
  const zone = useZone()
  const { window } = usePageWindow()
  const scope = { workspaceId, window, agentId: undefined }
  const agents = useInfiniteQuery(agentsQuery(workspaceId))
  const order = filters.order_by ?? 'last_seen'
  const figure = figureOf(order)
  useAllPages(agents, text.trim() !== '' || filters.status !== undefined || order !== 'last_seen')
  const stats = useQuery(breakdownQuery(scope, 'agent', figure, mostGroups))
  const scopeBefore = { ...scope, window: windowBefore(scope.window) }
  const before = useQuery(breakdownQuery(scopeBefore, 'agent', figure, mostGroups))
  const courses = useQuery(seriesQuery(scope, zone, 'agent', mostSeries))
  const note = describeIgnored([...window.ignored, ...ignored])
  const clear = (): void => {
    setText('')
    change({ status: null })
  }
  return (
    <Page
      actions={
        <AsApi
          path="agents"
          beyond="Name, status and order are not part of the request: it returns all agents, the most recently seen first, up to 200 at an offset."
          query={{ limit: '200' }}
          workspaceId={workspaceId}
        />
      }
      title="Agents"
    >
      {note !== null && <p role="status">{note}</p>}
      <AgentFilters
        text={text}
        status={filters.status}
        order={order}
        onText={setText}
        onStatus={(status) => change({ status: status ?? null })}
        onOrder={(next) => change({ order_by: next === 'last_seen' ? null : next })}
      />
      <Panel<Agents>
        title="Agents of this workspace"
        query={agents}
        height={320}
        empty={({ pages }) => (pages.flat().length === 0 ? <NothingStored /> : null)}
      >
        {({ pages }) => {
          const all = joinPages(pages)
          // The change of a window cannot be computed from the figures of another one.
          const isOld = stats.isPlaceholderData !== before.isPlaceholderData
          const joined = joinAgents(all, stats.data, courses.data, isOld ? undefined : before.data)
          const rows = sortAgents(findAgents(joined, text, filters.status), order)
          if (rows.length === 0 && agents.hasNextPage) return <p role="status">No agent that is loaded matches.</p>
          if (rows.length === 0) {
            return (
              <Empty action={<Button onClick={clear}>Clear the filters</Button>}>No agent matches the filters.</Empty>
            )
          }
          return (
            <>
              {/* Without this note, the dashes in the table would mean that there are no figures. */}
              <QueryErrors queries={[stats, before, courses]} />
              {stats.data?.items.length === 0 && <QuietNote newest={all[0]?.last_seen} />}
              <AgentTable rows={rows} />
            </>
          )
        }}
      </Panel>
      {agents.hasNextPage && (
        <p>
          <Button
            unavailable={agents.isFetchingNextPage ? 'Loading…' : undefined}
            onClick={() => void agents.fetchNextPage()}
          >
            {agents.isFetchingNextPage ? 'Loading…' : 'Load more agents'}
          </Button>
        </p>
      )}
    </Page>
  )
}
