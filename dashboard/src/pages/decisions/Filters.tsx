import { useInfiniteQuery } from '@tanstack/react-query'
import { useAgents } from '../../agents/use-agents.ts'
import { useFilterKey } from '../../app/shortcuts/use-filter-key.ts'
import { states } from '../../decisions/lifecycle.ts'
import { type DecisionFilters, decisionsQuery } from '../../decisions/queries.ts'
import { readConfig } from '../../decisions/score.ts'
import { claimNames, nameClaim } from '../../decisions/wording.ts'
import { shortId } from '../../format/index.ts'
import { MissingValues } from '../../list/MissingValues.tsx'
import { useChangeSearch } from '../../trace/use-change-search.ts'
import { Button, SelectField } from '../../ui/index.ts'
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
  const listed = useAgents(workspaceId)
  const agents = listed.data ?? []
  const all = useInfiniteQuery(decisionsQuery(workspaceId, {}))
  const decisions = all.data?.pages.flat() ?? []
  const tools = [...new Set(decisions.map((decision) => readConfig(decision).toolName))].toSorted()
  const types = [...new Set([...Object.keys(claimNames), ...decisions.map(({ type }) => type)])]
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  const agentNames = new Map(agents.map(({ id, name }) => [id, name]))
  const set = (name: string) => (value: string | null) => change({ [name]: value })
  const bar = useFilterKey()
  return (
    <search ref={bar} className={styles.filters}>
      {hasState && <Choice label="State" value={filters.state} options={states} onChange={set('state')} />}
      <Choice label="Claim" value={filters.type} options={types} nameOf={nameClaim} onChange={set('type')} />
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
  readonly onChange: (value: string | null) => void
}

/** A value from the URL that is not among the options is added to them. */
function Choice({ label, value, options, nameOf = (option) => option, onChange }: ChoiceProps) {
  const all = value === undefined || options.includes(value) ? options : [value, ...options]
  return (
    <SelectField label={label} any="any" value={value} onChange={onChange}>
      {all.map((option) => (
        <option key={option} value={option}>
          {nameOf(option)}
        </option>
      ))}
    </SelectField>
  )
}
