import { Choice, FilterBar, Suggested, Typed } from '../list/Filters.tsx'
import { eventFilterNames, kinds, traceIdFilter } from './filters.ts'

export function EventFilters({ workspaceId }: { readonly workspaceId: string }) {
  return (
    <FilterBar workspaceId={workspaceId} names={eventFilterNames}>
      <Choice label="Kind" name="kind">
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {kind}
          </option>
        ))}
      </Choice>
      <Choice label="Status" name="status">
        <option value="ok">ok</option>
        <option value="error">error</option>
      </Choice>
      <Suggested name="agent_id" workspaceId={workspaceId} />
      <Suggested name="model" workspaceId={workspaceId} />
      <Suggested name="tool_name" workspaceId={workspaceId} />
      <Typed label="Whole trace id" name="trace_id" reader={traceIdFilter} />
    </FilterBar>
  )
}
