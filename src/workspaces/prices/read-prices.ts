// Reads the prices that a workspace has set.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { WorkspacePrice, WorkspacePriceList } from '../../pricing/workspace-prices.ts'
import type { Database } from '../../store/database.ts'

type Row = { revision: string; prices: WorkspacePrice[] } | { revision: null; prices: null }

/** Null: the workspace has none. One query. */
export async function readPrices(
  db: Pick<Database, 'row'>,
  workspaceId: string,
): Promise<Outcome<WorkspacePriceList | null, 'not_found'>> {
  const row = await db.row<Row>('workspaces/read-prices', [workspaceId])
  if (row === null) return refuse('not_found')
  return ok(row.revision === null ? null : row)
}
