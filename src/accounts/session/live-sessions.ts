// Whether a session still lives, held for five seconds: an access token outlives its session by no more than that, and by
// no more than a notice takes to arrive where none is lost.
import { LRUCache } from 'lru-cache'
import type { Database } from '../../store/database.ts'
import type { Session } from '../../web/route.ts'

const maxEntries = 20_000
const maxAgeMs = 5_000

export type LiveSessions = {
  /** A miss is one query, for all who ask at the same time. Throws Outage. */
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
      // What could not be read is read again by the next one who asks; this caller is told below.
      entry.live.catch(() => {
        if (held.peek(key) === entry) held.delete(key)
      })
      return entry.live
    },
    // An answer that is on its way may be from before the end: those who wait for it get it, and nobody after them.
    forgetUser: (userId) => {
      for (const [key, entry] of held.entries()) if (entry.userId === userId) held.delete(key)
    },
  }
}
