// The labels of stats keys, as users see them.
import type { Database } from '../../store/database.ts'
import type { Grouping } from './stats-scope.ts'

/** Returns a function that labels a key: with the agent's name if the key is an existing agent, otherwise with the key itself. */
export async function labelKeys(
  db: Database,
  workspaceId: string,
  groupBy: Grouping,
  keys: readonly string[],
): Promise<(key: string) => string> {
  if (groupBy !== 'agent' || keys.length === 0) return (key) => key
  const agents = await db.rows<{ id: string; name: string }>('queries/name-agents', [workspaceId, keys])
  const names = new Map(agents.map(({ id, name }) => [id, name]))
  return (key) => names.get(key) ?? key
}
