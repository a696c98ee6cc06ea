// Authentication of the control pipelines: they use the same table of keys as the service, and look up each key once.
import { createHash } from 'node:crypto'
import type pg from 'pg'

/** Returns the workspace of the key in an Authorization header, or null if there is none. `known` caches the keys. */
export async function findWorkspace(pool: pg.Pool, known: Map<string, string>, header: string): Promise<string | null> {
  const key = header.replace(/^Bearer /, '')
  const workspaceId = known.get(key)
  if (workspaceId !== undefined) return workspaceId
  const digest = createHash('sha256').update(key).digest()
  const { rows } = await pool.query<{ workspace_id: string }>('select workspace_id from api_keys where digest = $1', [
    digest,
  ])
  if (rows[0] === undefined) return null
  known.set(key, rows[0].workspace_id)
  return rows[0].workspace_id
}
