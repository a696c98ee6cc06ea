// The overview of a workspace: notices, figures and charts of the window, the largest agents, models and tools, findings and decisions.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useSearch } from '@tanstack/react-router'
import { useAgents } from '../../agents/use-agents.ts'
import { usePageWindow } from '../../app/page-window.tsx'
import { type Scope, summaryQuery } from '../../stats/queries.ts'
import { StatCharts } from '../../stats/StatCharts.tsx'
import { StatTiles } from '../../stats/StatTiles.tsx'
import { ErrorNote, Page } from '../../ui/index.ts'
import { describeIgnored, readFilters, type Search, uuidFilter } from '../../window/index.ts'
import { AgentFilter } from './AgentFilter.tsx'
import { DecisionCounts } from './DecisionCounts.tsx'
import { findNewest } from './facts.ts'
import { NewestFindings } from './NewestFindings.tsx'
import { NoData } from './NoData.tsx'
import { Notices } from './Notices.tsx'
import styles from './overview.module.css'
import { TopRows } from './TopRows.tsx'
import { isOpen, useNoticeFacts } from './use-notice-facts.ts'

const route = getRouteApi('/w/$workspace_id')

export function OverviewPage() {
  const { workspace_id: workspaceId } = route.useParams()
  const search: Search = useSearch({ strict: false })
  const { window } = usePageWindow()
  const { filters, ignored } = readFilters(search, { agent_id: uuidFilter })
  const scope: Scope = { workspaceId, window, agentId: filters.agent_id }
  const agents = useAgents(workspaceId, filters.agent_id !== undefined)
  const summary = useQuery(summaryQuery(scope))
  const newestMs = agents.data === undefined ? undefined : findNewest(agents.data)
  const isEmpty = newestMs === null || (summary.data?.total_events === 0 && newestMs !== undefined)
  const facts = useNoticeFacts(scope)
  const isReady = facts.isReady && !isOpen(agents) && !isOpen(summary)
  const note = describeIgnored([...window.ignored, ...ignored])
  return (
    <Page title="Overview">
      {note !== null && <p role="status">{note}</p>}
      <AgentFilter agentId={filters.agent_id} agents={agents.data ?? []} />
      {isReady && <Notices facts={facts} />}
      {agents.error !== null && <ErrorNote error={agents.error} onRetry={() => void agents.refetch()} />}
      {/* Loads while it is hidden, and becomes visible once the content above it is known. */}
      <div className={isReady ? styles.body : `${styles.body} ${styles.unready}`}>
        {isEmpty ? (
          <NoData newestMs={newestMs ?? null} isFiltered={filters.agent_id !== undefined} />
        ) : (
          <>
            {/* The parts of a page keep their last figures if new ones cannot be loaded. They must not be those of another agent. */}
            <StatTiles key={`tiles ${scope.agentId}`} scope={scope} />
            <StatCharts key={`charts ${scope.agentId}`} scope={scope} />
            <div className={styles.thirds}>
              <TopRows scope={scope} groupBy="agent" title="Top agents" />
              <TopRows key={`models ${scope.agentId}`} scope={scope} groupBy="model" title="Top models" />
              <TopRows key={`tools ${scope.agentId}`} scope={scope} groupBy="tool" title="Top tools" />
            </div>
          </>
        )}
        <div className={styles.halves}>
          <NewestFindings workspaceId={workspaceId} />
          <DecisionCounts workspaceId={workspaceId} />
        </div>
      </div>
    </Page>
  )
}
