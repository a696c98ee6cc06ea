// What a reader sees for a key of the stats.
import type { Database } from '../../store/database.ts'
import type { Grouping } from './grouping.ts'

/** The key itself; of an agent its name, as long as there is one. */
export async function labelKeys(
  db: Database,
  workspaceId: string,
  groupBy: Grouping,
  keys: readonly string[],
): Promise<(key: string) => string> {
  if (groupBy !== 'agent' || keys.length === 0) return (key) => key
  const agents = await db.rows<{ id: string; name: string }>('observe/name-agents', [workspaceId, keys])
  const names = new Map(agents.map(({ id, name }) => [id, name]))
  return (key) => names.get(key) ?? key
}
