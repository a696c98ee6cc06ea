import { Choice, FilterBar, Suggested, Typed } from '../list/Filters.tsx'
import { eventFilterNames, kinds } from './filters.ts'

export function EventFilters({ workspaceId }: { readonly workspaceId: string }) {
  return (
    <FilterBar names={eventFilterNames}>
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
      <Suggested group="agent" label="Agent" name="agent_id" workspaceId={workspaceId} />
      <Suggested group="model" label="Model" name="model" workspaceId={workspaceId} />
      <Suggested group="tool" label="Tool" name="tool_name" workspaceId={workspaceId} />
      <Typed label="Trace id" name="trace_id" />
    </FilterBar>
  )
}
