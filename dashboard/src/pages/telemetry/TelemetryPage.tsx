// The page of telemetry health: whether the service understands what the instrumentations of a workspace send.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, useSearch } from '@tanstack/react-router'
import { useAgents } from '../../agents/use-agents.ts'
import { api, dataOf } from '../../api/client.ts'
import { usePageWindow } from '../../app/page-window.tsx'
import { ErrorNote, Link, Page, Panel } from '../../ui/index.ts'
import { describeIgnored, readFilters, type Search, uuidFilter } from '../../window/index.ts'
import { findNewest } from '../overview/facts.ts'
import { NoData } from '../overview/NoData.tsx'
import { ScopeTable } from './ScopeTable.tsx'
import { WhatToChange } from './WhatToChange.tsx'

const route = getRouteApi('/w/$workspace_id/telemetry')

export function TelemetryPage() {
  const { workspace_id: workspaceId } = route.useParams()
  const search: Search = useSearch({ strict: false, select: (all) => all as Search })
  const { window } = usePageWindow()
  const { filters, ignored } = readFilters(search, { agent_id: uuidFilter })
  const agents = useAgents(workspaceId, false)
  const instrumentations = useQuery({
    queryKey: ['instrumentations', workspaceId, window.from, window.to],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v1/workspaces/{workspace_id}/stats/instrumentations', {
          params: { path: { workspace_id: workspaceId }, query: { from_time: window.from, to_time: window.to } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })
  const note = describeIgnored([...window.ignored, ...ignored])
  return (
    <Page title="Telemetry health" tabTitle="Telemetry">
      {note !== null && <p role="status">{note}</p>}
      {filters.agent_id !== undefined && <p>Instrumentations are not split by agent: this is the whole workspace.</p>}
      <Panel
        title="What each instrumentation sent"
        query={instrumentations}
        height={72}
        empty={({ items }) => (items.length === 0 ? <Nothing agents={agents} /> : null)}
      >
        {({ items }) => (
          <>
            <ScopeTable items={items} />
            <WhatToChange items={items} />
          </>
        )}
      </Panel>
      <p>
        This page counts stored spans. <Link to="/w/$workspace_id/usage">Usage</Link> shows the spans that were rejected
        or dropped, with the reasons.
      </p>
    </Page>
  )
}

/** The reason for missing data depends on the time of the newest event, so nothing is shown until the agents are loaded. */
function Nothing({ agents: { data, error, refetch } }: { readonly agents: ReturnType<typeof useAgents> }) {
  if (data !== undefined) return <NoData newestMs={findNewest(data)} isFiltered={false} />
  return error === null ? <></> : <ErrorNote error={error} onRetry={() => void refetch()} />
}
