import type { Schemas } from '../../api/client.ts'
import { isNamed } from '../../stats/facts.ts'
import type { Grouping } from '../../stats/queries.ts'
import { Link } from '../../ui/index.ts'

/** To what is behind a row: the overview of one agent, or the traces with a model or a tool. */
export function NarrowLink({ groupBy, row }: { readonly groupBy: Grouping; readonly row: Schemas['BreakdownRow'] }) {
  const { key, label } = row
  if (!isNamed(row)) return label
  if (groupBy === 'agent') {
    return (
      <Link to="/w/$workspace_id" search={{ agent_id: key }}>
        {label}
      </Link>
    )
  }
  return (
    <Link to="/w/$workspace_id/traces" search={groupBy === 'model' ? { model: key } : { tool_name: key }}>
      {label}
    </Link>
  )
}
