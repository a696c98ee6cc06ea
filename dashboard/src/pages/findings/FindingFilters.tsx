// The filters of the list.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { usePageWindow } from '../../app/page-window.tsx'
import { formatCount } from '../../format/index.ts'
import { MissingValues } from '../../list/MissingValues.tsx'
import { isNamed } from '../../stats/facts.ts'
import { breakdownQuery } from '../../stats/queries.ts'
import { Button, Field } from '../../ui/index.ts'
import { agentsQuery, findingCountsQuery } from '../overview/queries.ts'
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
  const summary = useQuery(findingCountsQuery(workspaceId))
  const counts = summary.data
  const listed = useQuery(agentsQuery(workspaceId))
  const agents = listed.data ?? []
  const toMs = Math.ceil(nowMs / hourMs) * hourMs
  const window = { from: new Date(toMs - lookBackMs).toISOString(), to: new Date(toMs).toISOString() }
  const scope = { workspaceId, window, agentId: undefined }
  const used = useQuery(breakdownQuery(scope, 'tool', 'events', mostTools))
  const tools = used.data?.items.filter(isNamed) ?? []
  const set = (name: string) => (value: string) => change({ [name]: value === '' ? null : value })
  const shown = filters.status === 'any' ? undefined : (filters.status ?? 'open')
  const countOf = (by: Schemas['FindingSummary']['by_status'] | undefined): string => {
    if (by === undefined) return ''
    return ` (${formatCount(shown === undefined ? by.open + by.acknowledged + by.resolved : by[shown])})`
  }
  const types = Object.entries(counts?.by_type ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return (
    <search aria-label="Filters" className={styles.filters}>
      <Choice
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
      </Choice>
      <Choice label="Severity" value={filters.severity} onChange={set('severity')} isOptional>
        {severities.map((severity) => (
          <option key={severity} value={severity}>
            {severity}
            {countOf(counts?.by_severity[severity])}
          </option>
        ))}
      </Choice>
      <Choice label="Type" value={filters.type} known={types.map(([type]) => type)} onChange={set('type')} isOptional>
        {types.map(([type, by]) => (
          <option key={type} value={type}>
            {nameFindingType(type)}
            {countOf(by)}
          </option>
        ))}
      </Choice>
      <Choice
        label="Agent"
        value={filters.agent_id}
        known={agents.map(({ id }) => id)}
        onChange={set('agent_id')}
        isOptional
      >
        {agents.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Choice>
      <Choice
        label="Tool"
        value={filters.tool_name}
        known={tools.map(({ key }) => key)}
        onChange={set('tool_name')}
        isOptional
      >
        {tools.map(({ key }) => (
          <option key={key} value={key}>
            {key}
          </option>
        ))}
      </Choice>
      <Choice
        label="Order"
        value={filters.order_by ?? 'est_monthly_cost_usd'}
        onChange={(value) => change({ order_by: value === 'last_seen' ? value : null })}
      >
        <option value="est_monthly_cost_usd">highest cost first</option>
        <option value="last_seen">last seen first</option>
      </Choice>
      {isNarrowed(filters) && (
        <Button variant="quiet" onClick={() => change(noFilters)}>
          Clear filters
        </Button>
      )}
      <MissingValues queries={{ Type: summary, Agent: listed, Tool: used }} />
    </search>
  )
}

type ChoiceProps = {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (value: string) => void
  readonly isOptional?: boolean
  /** The values, if they come with the data. A value from the URL that is not among them is shown nevertheless. */
  readonly known?: readonly string[]
  readonly children: ReactNode
}

function Choice({ label, value, onChange, isOptional = false, known, children }: ChoiceProps) {
  const isStrange = value !== undefined && known?.includes(value) === false
  return (
    <Field label={label}>
      {(ids) => (
        <select
          {...ids}
          className={styles.select}
          value={value ?? ''}
          onChange={({ target }) => onChange(target.value)}
        >
          {isOptional && <option value="">any</option>}
          {isStrange && <option value={value}>{value}</option>}
          {children}
        </select>
      )}
    </Field>
  )
}
