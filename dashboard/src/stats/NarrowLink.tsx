import type { Schemas } from '../api/client.ts'
import { Link } from '../ui/index.ts'
import { isNamed } from './facts.ts'
import type { Grouping } from './queries.ts'

type Props = {
  readonly groupBy: Grouping
  readonly row: Schemas['BreakdownRow']
  /** The agent whose traces the link shows, if the page is about one agent. */
  readonly agentId?: string
}

/** Links a row to its details: the overview of one agent, or the traces with a model or a tool. */
export function NarrowLink({ groupBy, row, agentId }: Props) {
  const { key, label } = row
  if (!isNamed(row)) return label
  if (groupBy === 'agent') {
    return (
      <Link to="/w/$workspace_id" search={{ agent_id: key }}>
        {label}
      </Link>
    )
  }
  const ofAgent = agentId === undefined ? {} : { agent_id: agentId }
  const named = groupBy === 'model' ? { model: key } : { tool_name: key }
  return (
    <Link to="/w/$workspace_id/traces" search={{ ...ofAgent, ...named }}>
      {label}
    </Link>
  )
}
