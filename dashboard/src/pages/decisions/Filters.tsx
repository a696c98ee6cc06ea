import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { states } from '../../decisions/lifecycle.ts'
import { type DecisionFilters, decisionsQuery } from '../../decisions/queries.ts'
import { readConfig } from '../../decisions/score.ts'
import { claimNames, nameClaim } from '../../decisions/wording.ts'
import { shortId } from '../../format/index.ts'
import { MissingValues } from '../../list/MissingValues.tsx'
import { useChangeSearch } from '../../trace/use-change-search.ts'
import { Button } from '../../ui/index.ts'
import { agentsQuery } from '../overview/queries.ts'
import styles from './decisions.module.css'

type Props = {
  readonly workspaceId: string
  readonly filters: DecisionFilters
  /** False: no filter of the state, since the columns of the board are the states. */
  readonly hasState: boolean
  readonly onClear: () => void
}

export function Filters({ workspaceId, filters, hasState, onClear }: Props) {
  const change = useChangeSearch({ isStep: true })
  const listed = useQuery(agentsQuery(workspaceId))
  const agents = listed.data ?? []
  const all = useInfiniteQuery(decisionsQuery(workspaceId, {}))
  const decisions = all.data?.pages.flat() ?? []
  const tools = [...new Set(decisions.map((decision) => readConfig(decision).toolName))].toSorted()
  const types = [...new Set([...Object.keys(claimNames), ...decisions.map(({ type }) => type)])]
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  const agentNames = new Map(agents.map(({ id, name }) => [id, name]))
  const set = (name: string) => (value: string) => change({ [name]: value === '' ? null : value })
  return (
    <search className={styles.filters}>
      {hasState && <Choice label="State" value={filters.state} options={states} onChange={set('state')} isFirst />}
      <Choice
        label="Claim"
        value={filters.type}
        options={types}
        nameOf={nameClaim}
        onChange={set('type')}
        isFirst={!hasState}
      />
      <Choice
        label="Agent"
        value={filters.agent_id}
        options={agents.map(({ id }) => id)}
        nameOf={(id) => agentNames.get(id) ?? shortId(id)}
        onChange={set('agent_id')}
      />
      <Choice label="Tool" value={filters.tool_name} options={tools} onChange={set('tool_name')} />
      {isFiltered && (
        <Button variant="quiet" onClick={onClear}>
          Clear filters
        </Button>
      )}
      <MissingValues queries={{ Agent: listed, Tool: all }} />
    </search>
  )
}

type ChoiceProps = {
  readonly label: string
  readonly value: string | undefined
  readonly options: readonly string[]
  readonly nameOf?: (option: string) => string
  readonly onChange: (value: string) => void
  /** The key `/` focuses it. */
  readonly isFirst?: boolean
}

/** A value from the URL that is not among the options is added to them. */
function Choice({ label, value, options, nameOf = (option) => option, onChange, isFirst = false }: ChoiceProps) {
  const id = useId()
  const all = value === undefined || options.includes(value) ? options : [value, ...options]
  const shown: ReactNode = all.map((option) => (
    <option key={option} value={option}>
      {nameOf(option)}
    </option>
  ))
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value)}
        {...(isFirst ? { 'data-filter': true } : {})}
      >
        <option value="">any</option>
        {shown}
      </select>
    </div>
  )
}
