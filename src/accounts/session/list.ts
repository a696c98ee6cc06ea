// Lists the sessions of the calling user.
import { unknownIp } from '../../base/ip.ts'
import type { Database } from '../../store/database.ts'
import type { Session } from '../../web/route.ts'

export type ListedSession = {
  readonly id: string
  readonly createdAt: Date
  /** The sign-in or the last refresh. A client in use refreshes every 10 minutes. */
  readonly lastUsedAt: Date
  readonly userAgent: string | null
  readonly ipPrefix: string | null
  readonly isCurrent: boolean
}

type Row = {
  readonly id: string
  readonly created_at: Date
  readonly rotated_at: Date
  readonly user_agent: string | null
  readonly ip_prefix: string | null
}

/** One query. Most recently used first, at most 20. */
export async function listSessions(db: Database, who: Session, now: Date): Promise<readonly ListedSession[]> {
  const rows = await db.rows<Row>('accounts/list-sessions', [who.userId, now])
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    lastUsedAt: row.rotated_at,
    userAgent: row.user_agent,
    ipPrefix: row.ip_prefix === unknownIp ? null : row.ip_prefix,
    isCurrent: row.id === who.sessionId,
  }))
}
