// Finds the workspace of a key text: checks the checksum, then memory, then makes one query, which concurrent callers with this key share.
import { LRUCache } from 'lru-cache'
import { Outage } from '../base/fault.ts'
import { widestPrefixOf } from '../base/ip.ts'
import { makeKeyedSemaphore } from '../base/keyed-semaphore.ts'
import { late, withTimeout } from '../base/within.ts'
import type { Database } from '../store/database.ts'
import type { KeyIdentity } from '../web/route.ts'
import { digestKeyHex, isKeyText } from './key-text.ts'

const maxKnown = 10_000
const maxUnknown = 10_000
/** Limit of the queries in progress, of all clients. */
const maxQueries = 1_000
/** Limit of the lookups of one client that wait for others of the same client. */
const maxWaitingOfClient = 1_000
const knownMs = 30_000
// While the database is away, keys are kept longer, like the rules that are fetched with them.
const bridgeMs = 60_000
const askAgainMs = 1_000
const unknownMs = 5_000
const askMemoryEveryMs = 100

/** How long a caller waits for a lookup, in ms. */
export type KeyTimeouts = {
  /** If memory can confirm the key. */
  readonly knownMs: number
  readonly unknownMs: number
}

// Rules are read after the key (serving/rules-cache.ts). If memory has both, the two waits together take less than 300 ms.
const defaultTimeouts: KeyTimeouts = { knownMs: 50, unknownMs: 2_000 }

export type KeyVerifier = {
  /**
   * Null: no such key, or revoked or expired. Throws Outage within 2 s if the key cannot be looked up now; never returns null for that. `ip`
   * is the address of the client: the checksum of a key is public, so a client can send any number of keys that have to be looked up.
   */
  readonly verify: (text: string, ip: string) => Promise<KeyIdentity | null>
  /** Returns the identity if memory can confirm it now; undefined does not mean that the key is invalid. Synchronous, no query. */
  readonly peek: (text: string) => KeyIdentity | undefined
  readonly forget: (digestHex: string) => void
  readonly forgetWorkspace: (workspaceId: string) => void
  readonly forgetAll: () => void
}

export type KeyVerifierOptions = {
  readonly db: Pick<Database, 'row'>
  /** Called with the workspace of each dropped key (null: of any). Requests that wait under such a key must be checked again. */
  readonly onForgotten: (workspaceId: string | null) => void
  /** Whether this process knows all revocations so far. While it returns false, memory confirms no key. */
  readonly isCurrent: () => boolean
  /** Unix ms, by the clock of the database: keys expire by it. */
  readonly nowMs: () => number
  /** Called with errors, other than Outage, of a lookup that a caller no longer waited for. */
  readonly onLateError: (error: unknown) => void
  readonly timeouts?: KeyTimeouts
  /** Limit of the queries in progress for one client, for keys that memory does not hold. */
  readonly queriesOfClient: number
}

/**
 * `client`: the prefix of the address for which it was begun. `deleted`: the workspaces that were deleted since then. `hasBegun`: its query no
 * longer waits for others of the client. `isLeft`: a caller gave up waiting for it.
 */
type LookUp = {
  readonly startedAtMs: number
  readonly client: string
  readonly deleted: Set<string>
  hasBegun: boolean
  isLeft: boolean
}
type StartedLookUp = LookUp & { readonly found: Promise<KeyIdentity | null> }
type Held = { readonly identity: KeyIdentity; freshUntilMs: number }
type Row = { id: string; workspace_id: string; expires_at: Date | null }

/**
 * Caches 10,000 keys for 30 s. Unknown keys have a cache of their own, for 5 s, so that guesses cannot evict keys in use. Lookups of unknown
 * keys of one client (an IPv4 address or an IPv6 /48) wait only for each other, so that they do not delay those of other clients.
 */
export function makeKeyVerifier(options: KeyVerifierOptions): KeyVerifier {
  const { db, isCurrent, nowMs, onLateError, timeouts = defaultTimeouts } = options
  const known = new LRUCache<string, Held>({ max: maxKnown, ttl: knownMs + bridgeMs })
  const unknown = new LRUCache<string, true>({ max: maxUnknown, ttl: unknownMs })
  // The result of a lookup that is no longer in here is not cached: its key was revoked since it began.
  const lookUps = new Map<string, StartedLookUp>()
  /** All that have not ended, including those whose results are not cached. */
  const pending = new Set<LookUp>()
  // A lookup does not wait for longer than its caller does.
  const turns = makeKeyedSemaphore(options.queriesOfClient, maxWaitingOfClient, timeouts.unknownMs)
  let queries = 0

  const find = (digestHex: string): Held | undefined => (isCurrent() ? known.get(digestHex) : undefined)
  const isFresh = (held: Held): boolean => performance.now() < held.freshUntilMs

  /** Only the first call for a revoked key notifies the waiting requests: later calls find nothing to drop. */
  function drop(digestHex: string): void {
    const held = known.peek(digestHex)
    known.delete(digestHex)
    if (held !== undefined) options.onForgotten(held.identity.workspaceId)
  }

  async function query(digestHex: string): Promise<Row | null> {
    if (queries >= maxQueries) throw new Outage('limit', 'too many key lookups are in progress')
    queries += 1
    try {
      return await db.row<Row>('keys/find-by-digest', [Buffer.from(digestHex, 'hex')])
    } finally {
      queries -= 1
    }
  }

  async function lookUp(digestHex: string, one: LookUp): Promise<KeyIdentity | null> {
    const run = async (): Promise<Row | null> => {
      one.hasBegun = true
      return await query(digestHex)
    }
    // A key that memory holds was valid, so it is no guess.
    const row = known.has(digestHex) ? await run() : await turns.run(one.client, run)
    if (row === null) {
      unknown.set(digestHex, true)
      drop(digestHex)
      return null
    }
    if (one.deleted.has(row.workspace_id)) return null
    const identity: KeyIdentity = { keyId: row.id, workspaceId: row.workspace_id }
    const longestMs = knownMs + bridgeMs
    const lifeMs = row.expires_at === null ? longestMs : Math.min(longestMs, row.expires_at.getTime() - nowMs())
    if (lookUps.get(digestHex) === one && lifeMs > 0)
      known.set(digestHex, { identity, freshUntilMs: performance.now() + knownMs }, { ttl: lifeMs })
    return identity
  }

  function begin(digestHex: string, client: string): StartedLookUp {
    const startedAtMs = performance.now()
    const one: LookUp = { startedAtMs, client, deleted: new Set(), hasBegun: false, isLeft: false }
    pending.add(one)
    const started = Object.assign(one, { found: lookUp(digestHex, one) })
    lookUps.set(digestHex, started)
    const end = (): void => {
      pending.delete(one)
      if (lookUps.get(digestHex) === one) lookUps.delete(digestHex)
    }
    started.found.then(end, (error: unknown) => {
      end()
      if (one.isLeft && !(error instanceof Outage)) onLateError(error)
    })
    return started
  }

  /** Returns the lookup in progress, unless it waits for others of another client. */
  function join(digestHex: string, client: string): StartedLookUp {
    const one = lookUps.get(digestHex)
    return one !== undefined && (one.hasBegun || one.client === client) ? one : begin(digestHex, client)
  }

  /** Throws Outage if the database does not answer in time: within `knownMs` if memory can confirm the key, else within `unknownMs`. */
  async function ask(digestHex: string, ip: string): Promise<KeyIdentity | null> {
    const one = join(digestHex, widestPrefixOf(ip))
    const untilMs = performance.now() + timeouts.unknownMs
    let waitMs = one.startedAtMs + timeouts.knownMs - performance.now()
    do {
      const found = await withTimeout(waitMs, one.found)
      if (found !== late) return found
      waitMs = Math.min(askMemoryEveryMs, untilMs - performance.now())
    } while (find(digestHex) === undefined && waitMs > 0)
    one.isLeft = true
    throw new Outage('failure', 'the key could not be looked up in time')
  }

  /** If the database is away or hangs, keys that memory confirms stay valid: none can have been revoked without this process knowing. */
  async function askOrBridge(digestHex: string, ip: string): Promise<KeyIdentity | null> {
    try {
      return await ask(digestHex, ip)
    } catch (error) {
      const held = find(digestHex)
      if (held === undefined || !(error instanceof Outage)) throw error
      held.freshUntilMs = performance.now() + askAgainMs
      return held.identity
    }
  }

  return {
    verify: async (text, ip) => {
      if (!isKeyText(text)) return null
      const digestHex = digestKeyHex(text)
      const held = find(digestHex)
      if (held !== undefined && isFresh(held)) return held.identity
      return unknown.has(digestHex) ? null : await askOrBridge(digestHex, ip)
    },
    // The form is not checked: only digests of valid keys are cached.
    peek: (text) => {
      const held = find(digestKeyHex(text))
      return held !== undefined && isFresh(held) ? held.identity : undefined
    },
    forget: (digestHex) => {
      // Later callers must not join a lookup that began before.
      lookUps.delete(digestHex)
      drop(digestHex)
    },
    forgetWorkspace: (workspaceId) => {
      for (const { deleted } of pending) deleted.add(workspaceId)
      for (const [digestHex, { identity }] of known.entries())
        if (identity.workspaceId === workspaceId) known.delete(digestHex)
    },
    forgetAll: () => {
      lookUps.clear()
      known.clear()
      options.onForgotten(null)
    },
  }
}
