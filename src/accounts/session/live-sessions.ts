// Caches for five seconds whether a session is live. So an access token outlives its session by at most that time, and normally only until
// the notice of its end arrives.
import { LRUCache } from 'lru-cache'
import type { Database } from '../../store/database.ts'
import type { Session } from '../../web/route.ts'

const maxEntries = 20_000
const maxAgeMs = 5_000

export type LiveSessions = {
  /** A miss is one query, shared by concurrent callers. Throws Outage. */
  readonly isLive: (session: Session) => Promise<boolean>
  /** Sessions of the user have ended, here or on another front. */
  readonly forgetUser: (userId: string) => void
}

type Entry = { readonly userId: string; readonly live: Promise<boolean> }

export function makeLiveSessions(db: Database): LiveSessions {
  const held = new LRUCache<string, Entry>({ max: maxEntries, ttl: maxAgeMs })

  const read = async ({ sessionId, userId }: Session): Promise<boolean> =>
    (await db.row('accounts/read-session-state', [sessionId, userId])) !== null

  return {
    isLive: (session) => {
      const key = `${session.sessionId} ${session.userId}`
      const known = held.get(key)
      if (known !== undefined) return known.live
      const entry = { userId: session.userId, live: read(session) }
      held.set(key, entry)
      // A failed read is not cached: the next caller reads again. This caller gets the error from the promise below.
      entry.live.catch(() => {
        if (held.peek(key) === entry) held.delete(key)
      })
      return entry.live
    },
    // A read in progress may have begun before the session ended: its waiting callers get the result, later callers do not.
    forgetUser: (userId) => {
      for (const [key, entry] of held.entries()) if (entry.userId === userId) held.delete(key)
    },
  }
}
