// Task types: one id per workspace and name.
import { makeUuidV7 } from '../base/ids.ts'
import type { Tx } from '../store/database.ts'

/**
 * Returns the id of the task type of this name, and creates it if the workspace has none. One statement if it exists, two if it is created,
 * three if another transaction created it meanwhile.
 */
export async function nameTaskType(tx: Tx, workspaceId: string, name: string): Promise<string> {
  const values = [workspaceId, name]
  const known = await tx.row<{ id: string }>('decisions/find-task-type', values)
  if (known !== null) return known.id
  const made = await tx.row<{ id: string }>('decisions/insert-task-type', [...values, makeUuidV7()])
  const row = made ?? (await tx.row<{ id: string }>('decisions/find-task-type', values))
  if (row === null) throw new Error('a task type was neither found nor created')
  return row.id
}
