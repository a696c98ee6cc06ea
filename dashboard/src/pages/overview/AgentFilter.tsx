import type { Schemas } from '../../api/client.ts'
import { shortId } from '../../format/index.ts'
import { Link } from '../../ui/index.ts'
import styles from './overview.module.css'

/** Shows that the page is limited to one agent, with a button that removes the limit. */
export function AgentFilter({
  agentId,
  agents,
}: {
  readonly agentId: string | undefined
  readonly agents: readonly Schemas['Agent'][]
}) {
  if (agentId === undefined) return null
  const name = agents.find(({ id }) => id === agentId)?.name ?? shortId(agentId)
  return (
    <p className={styles.filter}>
      Only the agent <strong>{name}</strong>.{' '}
      <Link to="/w/$workspace_id" search={{ agent_id: null }}>
        Show all agents
      </Link>
    </p>
  )
}
