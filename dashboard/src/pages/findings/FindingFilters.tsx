// The filters of the list.
import { useQuery } from '@tanstack/react-query'
import { useAgents } from '../../agents/use-agents.ts'
import type { Schemas } from '../../api/client.ts'
import { usePageWindow } from '../../app/page-window.tsx'
import { useFilterKey } from '../../app/shortcuts/use-filter-key.ts'
import { formatCount } from '../../format/index.ts'
import { MissingValues } from '../../list/MissingValues.tsx'
import { isNamed } from '../../stats/facts.ts'
import { breakdownQuery } from '../../stats/queries.ts'
import { Button, SelectField } from '../../ui/index.ts'
import { findingCountsQuery } from '../overview/queries.ts'
import { nameFindingType } from './advice.ts'
import styles from './findings.module.css'
import { isNarrowed, noFilters, type readFindingSearch, severities, statuses } from './list-search.ts'

type Props = {
  readonly workspaceId: string
  readonly filters: ReturnType<typeof readFindingSearch>['filters']
  readonly change: (changes: Readonly<Record<string, string | null>>) => void
}

const hourMs = 3_600_000
// The period that the detection of findings covers.
const lookBackMs = 7 * 24 * hourMs
const mostTools = 100

export function FindingFilters({ workspaceId, filters, change }: Props) {
  const { nowMs } = usePageWindow()
  const bar = useFilterKey()
  const summary = useQuery(findingCountsQuery(workspaceId))
  const counts = summary.data
  const listed = useAgents(workspaceId)
  const agents = listed.data ?? []
  const toMs = Math.ceil(nowMs / hourMs) * hourMs
  const window = { from: new Date(toMs - lookBackMs).toISOString(), to: new Date(toMs).toISOString() }
  const scope = { workspaceId, window, agentId: undefined }
  const used = useQuery(breakdownQuery(scope, 'tool', 'events', mostTools))
  const tools = used.data?.items.filter(isNamed) ?? []
  const set = (name: string) => (value: string | null) => change({ [name]: value })
  const shown = filters.status === 'any' ? undefined : (filters.status ?? 'open')
  const countOf = (by: Schemas['FindingSummary']['by_status'] | undefined): string => {
    if (by === undefined) return ''
    return ` (${formatCount(shown === undefined ? by.open + by.acknowledged + by.resolved : by[shown])})`
  }
  const types = Object.entries(counts?.by_type ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return (
    <search ref={bar} aria-label="Filters" className={styles.filters}>
      <SelectField
        label="Status"
        value={filters.status ?? 'open'}
        onChange={(value) => change({ status: value === 'open' ? null : value })}
      >
        {statuses.map((status) => (
          <option key={status} value={status}>
            {status}
            {counts === undefined ? '' : ` (${formatCount(counts.by_status[status])})`}
          </option>
        ))}
        <option value="any">any</option>
      </SelectField>
      <SelectField label="Severity" value={filters.severity} onChange={set('severity')} any="any">
        {severities.map((severity) => (
          <option key={severity} value={severity}>
            {severity}
            {countOf(counts?.by_severity[severity])}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Type"
        value={filters.type}
        known={types.map(([type]) => type)}
        onChange={set('type')}
        any="any"
      >
        {types.map(([type, by]) => (
          <option key={type} value={type}>
            {nameFindingType(type)}
            {countOf(by)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Agent"
        value={filters.agent_id}
        known={agents.map(({ id }) => id)}
        onChange={set('agent_id')}
        any="any"
      >
        {agents.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Tool"
        value={filters.tool_name}
        known={tools.map(({ key }) => key)}
        onChange={set('tool_name')}
        any="any"
      >
        {tools.map(({ key }) => (
          <option key={key} value={key}>
            {key}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Order"
        value={filters.order_by ?? 'est_monthly_cost_usd'}
        onChange={(value) => change({ order_by: value === 'last_seen' ? value : null })}
      >
        <option value="est_monthly_cost_usd">highest cost first</option>
        <option value="last_seen">last seen first</option>
      </SelectField>
      {isNarrowed(filters) && (
        <Button variant="quiet" onClick={() => change(noFilters)}>
          Clear filters
        </Button>
      )}
      <MissingValues queries={{ Type: summary, Agent: listed, Tool: used }} />
    </search>
  )
}
