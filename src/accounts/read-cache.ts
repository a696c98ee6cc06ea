// Caches the results of reads for five seconds.
import { LRUCache } from 'lru-cache'

export type ReadCache<Subject, T> = {
  /** A miss is one read, which concurrent callers share. Throws what the read throws; a failed read is not cached. */
  readonly get: (subject: Subject) => Promise<T>
  /**
   * Forgets the subjects with this id. A read in progress may have begun before the change: its waiting callers get the result, later
   * callers do not. Cost: a step for each subject that is forgotten.
   */
  readonly forget: (id: string) => void
}

export type ReadCacheOptions<Subject, T> = {
  /** Ids that together identify the subject; none is an id of anything else. */
  readonly idsOf: (subject: Subject) => readonly string[]
  readonly read: (subject: Subject) => Promise<T>
  /** Whether the read found something. Other results have a cache of their own, so that guesses cannot evict what is in use. */
  readonly isFound: (result: T) => boolean
  /** The clock of the ages, in ms, which must never go back. Default: the time since the process started. */
  readonly nowMs?: (() => number) | undefined
}

const maxEntries = 20_000
const maxAgeMs = 5_000

export function makeReadCache<Subject, T>({
  idsOf,
  read,
  isFound,
  nowMs = () => performance.now(),
}: ReadCacheOptions<Subject, T>): ReadCache<Subject, T> {
  type Entry = { readonly ids: readonly string[]; readonly result: Promise<T> }
  /** By each id of a subject, the keys of the entries. */
  const keysOf = new Map<string, Set<string>>()
  const options = {
    max: maxEntries,
    ttl: maxAgeMs,
    perf: { now: nowMs },
    dispose: ({ ids }: Entry, key: string): void => {
      for (const id of ids) {
        const keys = keysOf.get(id)
        keys?.delete(key)
        if (keys?.size === 0) keysOf.delete(id)
      }
    },
  }
  // Promises, and not `fetchMethod`: the iterators of LRUCache skip its fetches in progress, which `forget` must find.
  const held = new LRUCache<string, Entry>(options)
  const notFound = new LRUCache<string, Entry>(options)

  /** The key must not be in either cache. */
  function hold(cache: LRUCache<string, Entry>, key: string, entry: Entry): void {
    cache.set(key, entry)
    for (const id of entry.ids) keysOf.set(id, (keysOf.get(id) ?? new Set()).add(key))
  }

  return {
    get: async (subject) => {
      const ids = idsOf(subject)
      const key = ids.join(' ')
      const known = held.get(key) ?? notFound.get(key)
      if (known !== undefined) return await known.result
      const entry = { ids, result: read(subject) }
      hold(held, key, entry)
      try {
        const result = await entry.result
        if (!isFound(result) && held.peek(key) === entry) {
          held.delete(key)
          hold(notFound, key, entry)
        }
        return result
      } catch (error) {
        if (held.peek(key) === entry) held.delete(key)
        throw error
      }
    },
    forget: (id) => {
      for (const key of keysOf.get(id) ?? []) {
        held.delete(key)
        notFound.delete(key)
      }
    },
  }
}
