// Records when keys were last used: collects times in memory, and writes them once a minute, or soon after the first use of a key that
// was idle. Stored times never go back.
import type { Database } from '../store/database.ts'
import type { KeyIdentity } from '../web/route.ts'

type Deps = {
  readonly db: Database
  readonly onError: (error: unknown, doing: string) => void
  readonly flushEveryMs: number
  /** How long the first use of an idle key waits for others, with which it is written. */
  readonly firstUseMs?: number
}

export type LastUse = {
  /** Costs no query. */
  readonly note: (key: KeyIdentity) => void
  /** Writes what was noted, after a flush in progress. Calls that wait for the same one share the next. Throws only what `onError` throws. */
  readonly flush: () => Promise<void>
  /** Resolves after a flush in progress and one of what is left. */
  readonly stop: () => Promise<void>
}

const maxNoted = 20_000

/** A crash loses at most a minute of these times, and nothing else. */
export function openLastUse({ db, onError, flushEveryMs, firstUseMs = 1_000 }: Deps): LastUse {
  let noted = new Map<string, { readonly key: KeyIdentity; readonly at: Date }>()
  /** Keys in use, whose stored times are at most a regular interval old. A key that was not used for one interval is idle. */
  let busy = new Set<string>()
  let soon: NodeJS.Timeout | null = null

  async function write(): Promise<void> {
    if (noted.size === 0) return
    const taken = noted
    noted = new Map()
    const uses = [...taken.values()]
    try {
      await db.run('keys/touch', [
        uses.map(({ key }) => key.workspaceId),
        uses.map(({ key }) => key.keyId),
        uses.map(({ at }) => at),
      ])
    } catch (error) {
      // Kept for the next flush, unless the key was used again in the meantime.
      for (const [id, use] of taken) if (!noted.has(id) && noted.size < maxNoted) noted.set(id, use)
      onError(error, 'writing when keys were last used')
    }
  }

  let written = Promise.resolve()
  let next: Promise<void> | null = null
  // One at a time: the times of a write that fails are in the next one. At most one waits, or each would in turn wait for a silent database.
  async function flush(): Promise<void> {
    next ??= written.then(writeNext, writeNext)
    written = next
    await next
  }

  async function writeNext(): Promise<void> {
    next = null
    await write()
  }

  function flushSoon(): void {
    soon ??= setTimeout(() => {
      soon = null
      void flush()
    }, firstUseMs).unref()
  }

  const timer = setInterval(() => {
    busy = new Set(noted.keys())
    void flush()
  }, flushEveryMs)
  timer.unref()

  return {
    note: (key) => {
      if (noted.size >= maxNoted && !noted.has(key.keyId)) return
      noted.set(key.keyId, { key, at: new Date() })
      if (busy.has(key.keyId) || busy.size >= maxNoted) return
      busy.add(key.keyId)
      flushSoon()
    },
    flush,
    stop: async () => {
      clearInterval(timer)
      if (soon !== null) clearTimeout(soon)
      await flush()
    },
  }
}
