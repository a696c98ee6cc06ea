// The page of one agent: its figures and charts, and its tools, models, traces, findings and decisions.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useSearch } from '@tanstack/react-router'
import { agentQuery } from '../../agents/queries.ts'
import { isNotFound } from '../../api/fault.ts'
import { usePageWindow } from '../../app/page-window.tsx'
import { shortId } from '../../format/index.ts'
import { StatCharts } from '../../stats/StatCharts.tsx'
import { StatTiles } from '../../stats/StatTiles.tsx'
import { Badge, CopyButton, ErrorNote, Link, NotFound, Page, Time } from '../../ui/index.ts'
import { describeIgnored, oneOf, readFilters, type Search } from '../../window/index.ts'
import { AgentDecisions } from './AgentDecisions.tsx'
import { AgentFindings } from './AgentFindings.tsx'
import { AgentModels } from './AgentModels.tsx'
import { AgentTools } from './AgentTools.tsx'
import { AgentTraces } from './AgentTraces.tsx'
import styles from './agent.module.css'

const route = getRouteApi('/w/$workspace_id/agents/$agent_id')

const views = ['tools', 'models', 'traces', 'findings', 'decisions'] as const
type View = (typeof views)[number]

const viewNames: Readonly<Record<View, string>> = {
  tools: 'Tools',
  models: 'Models',
  traces: 'Traces',
  findings: 'Findings',
  decisions: 'Decisions',
}

const parts = {
  tools: AgentTools,
  models: AgentModels,
  traces: AgentTraces,
  findings: AgentFindings,
  decisions: AgentDecisions,
} as const

export function AgentPage() {
  const { workspace_id: workspaceId, agent_id: agentId } = route.useParams()
  const search: Search = useSearch({ strict: false, select: (all) => all as Search })
  const { window } = usePageWindow()
  const agent = useQuery(agentQuery(workspaceId, agentId))
  const { filters, ignored } = readFilters(search, { view: oneOf(...views) })
  const view = filters.view ?? 'tools'
  const Part = parts[view]
  const scope = { workspaceId, window, agentId }
  const note = describeIgnored([...window.ignored, ...ignored])
  if (isNotFound(agent.error)) return <NotFound />
  return (
    <Page title={agent.data?.name ?? 'Agent'}>
      {note !== null && <p role="status">{note}</p>}
      {agent.error !== null && <ErrorNote error={agent.error} onRetry={() => void agent.refetch()} />}
      <div className={styles.facts}>
        {agent.data !== undefined && (
          <>
            <Badge tone={agent.data.status === 'active' ? 'good' : 'plain'}>{agent.data.status}</Badge>
            <span>
              First seen <Time time={agent.data.first_seen} precision="s" />
            </span>
            <span>
              Last seen <Time time={agent.data.last_seen} isRelative />
            </span>
            {agent.data.models.length > 0 && <span>Models: {agent.data.models.join(', ')}</span>}
            <span className={styles.id}>
              Id <code title={agentId}>{shortId(agentId)}</code>
              <CopyButton text={agentId} label="Copy the id of the agent" />
            </span>
          </>
        )}
      </div>
      <StatTiles scope={scope} />
      <StatCharts scope={scope} />
      <nav className={styles.tabs} aria-label="Sections of the agent page">
        {views.map((one) => (
          <Link key={one} to="/w/$workspace_id/agents/$agent_id" search={{ view: one === 'tools' ? null : one }} isView>
            {viewNames[one]}
          </Link>
        ))}
      </nav>
      <Part scope={scope} agentId={agentId} />
    </Page>
  )
}
