// Caches the results of reads for five seconds.
import { LRUCache } from 'lru-cache'

export type ReadCache<Subject, T> = {
  /** A miss is one read, which concurrent callers share. Throws what the read throws; a failed read is not cached. */
  readonly get: (subject: Subject) => Promise<T>
  /**
   * Forgets the subjects that match. A read in progress may have begun before the change: its waiting callers get the result, later callers
   * do not. Cost: a pass over all entries.
   */
  readonly forget: (isMeant: (subject: Subject) => boolean) => void
}

const maxEntries = 20_000
const maxAgeMs = 5_000

/** `keyOf` returns a different text for each subject. */
export function makeReadCache<Subject, T>(
  keyOf: (subject: Subject) => string,
  read: (subject: Subject) => Promise<T>,
): ReadCache<Subject, T> {
  // Promises, and not `fetchMethod`: the iterators of LRUCache skip its fetches in progress, which `forget` must find.
  const held = new LRUCache<string, { readonly subject: Subject; readonly result: Promise<T> }>({
    max: maxEntries,
    ttl: maxAgeMs,
  })
  return {
    get: async (subject) => {
      const key = keyOf(subject)
      const known = held.get(key)
      if (known !== undefined) return await known.result
      const entry = { subject, result: read(subject) }
      held.set(key, entry)
      try {
        return await entry.result
      } catch (error) {
        if (held.peek(key) === entry) held.delete(key)
        throw error
      }
    },
    forget: (isMeant) => {
      for (const [key, { subject }] of held.entries()) if (isMeant(subject)) held.delete(key)
    },
  }
}
