// The filters of the list of traces.
import { Choice, FilterBar, Suggested, Typed } from '../../list/Filters.tsx'
import { positiveFilter, textFilter } from '../../window/index.ts'
import { filterNames } from './list-search.ts'

export function TraceFilters({ workspaceId }: { readonly workspaceId: string }) {
  return (
    <FilterBar workspaceId={workspaceId} names={filterNames}>
      <Choice label="Status" name="status">
        <option value="ok">ok</option>
        <option value="error">error</option>
      </Choice>
      <Suggested name="agent_id" workspaceId={workspaceId} />
      <Suggested name="model" workspaceId={workspaceId} />
      <Suggested name="tool_name" workspaceId={workspaceId} />
      <Choice label="Served calls" name="served">
        <option value="true">some</option>
        <option value="false">none</option>
      </Choice>
      <Typed label="Whole session id" name="session_id" reader={textFilter} />
      <Typed label="At least (ms)" isNumber name="min_duration_ms" reader={positiveFilter} />
      <Choice any="newest first" label="Order" name="order_by">
        <option value="duration_ms">longest first</option>
        <option value="cost_usd">highest cost first</option>
      </Choice>
    </FilterBar>
  )
}
