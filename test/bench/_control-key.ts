// Authentication of the control pipelines: by the same table of keys as the service, each key looked up once.
import { createHash } from 'node:crypto'
import type pg from 'pg'

/** The workspace of the key in an Authorization header; null where there is none. `known` remembers the keys. */
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
