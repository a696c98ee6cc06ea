// Caches for five seconds whether a session is live. So an access token outlives its session by at most that time, and normally only until
// the notice of its end arrives.
import type { Database } from '../../store/database.ts'
import type { Session } from '../../web/route.ts'
import { makeReadCache } from '../read-cache.ts'

export type LiveSessions = {
  /** A miss is one query, shared by concurrent callers. Throws Outage. */
  readonly isLive: (session: Session) => Promise<boolean>
  /** Sessions of the user have ended, here or on another front. */
  readonly forgetUser: (userId: string) => void
}

/** `nowMs`: as of `makeReadCache`. */
export function makeLiveSessions(db: Pick<Database, 'row'>, nowMs?: () => number): LiveSessions {
  const cache = makeReadCache({
    idsOf: ({ sessionId, userId }: Session) => [sessionId, userId],
    read: async ({ sessionId, userId }) => (await db.row('accounts/read-session-state', [sessionId, userId])) !== null,
    isFound: (isLive) => isLive,
    nowMs,
  })
  return { isLive: cache.get, forgetUser: cache.forget }
}
