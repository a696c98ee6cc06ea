// Which workspace a key text stands for: checksum, then memory, then one query for all who wait for the same key.
import { LRUCache } from 'lru-cache'
import { Outage } from '../base/fault.ts'
import { late, within } from '../base/within.ts'
import type { Database } from '../store/database.ts'
import type { KeyIdentity } from '../web/route.ts'
import { digestKeyHex, isKeyText } from './key-text.ts'

const maxKnown = 10_000
const maxUnknown = 10_000
const maxLookUps = 1_000
const knownMs = 30_000
// While the database is away keys are known for longer, as the rules are that they ask for.
const bridgeMs = 60_000
const askAgainMs = 1_000
const unknownMs = 5_000
const askMemoryEveryMs = 100

/** How long a caller waits for a look-up. */
export type KeyPatience = {
  /** Memory vouches for the key. */
  readonly knownMs: number
  readonly unknownMs: number
}

// Rules are waited for after it (apply/rules-cache.ts); where memory can answer both take less than 300 ms together.
const usualPatience: KeyPatience = { knownMs: 50, unknownMs: 2_000 }

export type KeyVerifier = {
  /** Null: no such key, revoked or expired. Throws Outage where it cannot be looked up now, within 2 s; never null for that. */
  readonly verify: (text: string) => Promise<KeyIdentity | null>
  /** What memory vouches for now; undefined is not a no. No query, no promise. */
  readonly peek: (text: string) => KeyIdentity | undefined
  readonly forget: (digestHex: string) => void
  readonly forgetWorkspace: (workspaceId: string) => void
  readonly forgetAll: () => void
}

export type KeyVerifierOptions = {
  readonly db: Pick<Database, 'row'>
  /** Told of the workspace of each key that is known no more, or null where it may be any: who waits under it must be checked again. */
  readonly onForgotten: (workspaceId: string | null) => void
  /** Every revocation up to now is known here; while it says no, memory vouches for nobody. */
  readonly isCurrent: () => boolean
  /** Told of what a look-up threw, other than Outage, that somebody no longer waited for. */
  readonly onLateError: (error: unknown) => void
  readonly patience?: KeyPatience
}

/** `isLeft`: somebody who waited was answered without it. */
type LookUp = { readonly startedAtMs: number; readonly found: Promise<KeyIdentity | null>; isLeft: boolean }
type Held = { readonly identity: KeyIdentity; freshUntilMs: number }
type Row = { id: string; workspace_id: string; expires_at: Date | null }

/** 10,000 keys for 30 s; unknown ones apart, for 5 s, so that guesses cannot push out what is in use. */
export function makeKeyVerifier(options: KeyVerifierOptions): KeyVerifier {
  const { db, isCurrent, onLateError, patience = usualPatience } = options
  const known = new LRUCache<string, Held>({ max: maxKnown, ttl: knownMs + bridgeMs })
  const unknown = new LRUCache<string, true>({ max: maxUnknown, ttl: unknownMs })
  const lookUps = new Map<string, LookUp>()
  // Bumped by every revocation, so that a look-up which began before it is not kept.
  let revocations = 0

  const find = (digestHex: string): Held | undefined => (isCurrent() ? known.get(digestHex) : undefined)
  const isFresh = (held: Held): boolean => performance.now() < held.freshUntilMs

  /** Whoever learns of the revocation first tells who waits under the key: the next one finds nothing to drop. */
  function drop(digestHex: string): void {
    const held = known.peek(digestHex)
    known.delete(digestHex)
    if (held !== undefined) options.onForgotten(held.identity.workspaceId)
  }

  async function lookUp(digestHex: string): Promise<KeyIdentity | null> {
    const before = revocations
    const row = await db.row<Row>('keys/find-by-digest', [Buffer.from(digestHex, 'hex')])
    if (row === null) {
      unknown.set(digestHex, true)
      drop(digestHex)
      return null
    }
    const identity: KeyIdentity = { keyId: row.id, workspaceId: row.workspace_id }
    const longestMs = knownMs + bridgeMs
    const lifeMs = row.expires_at === null ? longestMs : Math.min(longestMs, row.expires_at.getTime() - Date.now())
    if (before === revocations && lifeMs > 0)
      known.set(digestHex, { identity, freshUntilMs: performance.now() + knownMs }, { ttl: lifeMs })
    return identity
  }

  function begin(digestHex: string): LookUp {
    if (lookUps.size >= maxLookUps) throw new Outage('too many key lookups are in progress')
    const one: LookUp = { startedAtMs: performance.now(), found: lookUp(digestHex), isLeft: false }
    lookUps.set(digestHex, one)
    const end = (): void => {
      if (lookUps.get(digestHex) === one) lookUps.delete(digestHex)
    }
    one.found.then(end, (error: unknown) => {
      end()
      if (one.isLeft && !(error instanceof Outage)) onLateError(error)
    })
    return one
  }

  /** Throws Outage where the database does not answer in time: soon where memory vouches for the key, or begins to. */
  async function ask(digestHex: string): Promise<KeyIdentity | null> {
    const one = lookUps.get(digestHex) ?? begin(digestHex)
    const untilMs = performance.now() + patience.unknownMs
    let waitMs = one.startedAtMs + patience.knownMs - performance.now()
    do {
      const found = await within(waitMs, one.found)
      if (found !== late) return found
      waitMs = Math.min(askMemoryEveryMs, untilMs - performance.now())
    } while (find(digestHex) === undefined && waitMs > 0)
    one.isLeft = true
    throw new Outage('the key could not be looked up in time', { cause: 'the database has not answered' })
  }

  /** Where the database is away or hangs, what memory vouches for goes on: nobody can have revoked it without this process knowing. */
  async function askOrBridge(digestHex: string): Promise<KeyIdentity | null> {
    try {
      return await ask(digestHex)
    } catch (error) {
      const held = find(digestHex)
      if (held === undefined || !(error instanceof Outage)) throw error
      held.freshUntilMs = performance.now() + askAgainMs
      return held.identity
    }
  }

  return {
    verify: async (text) => {
      if (!isKeyText(text)) return null
      const digestHex = digestKeyHex(text)
      const held = find(digestHex)
      if (held !== undefined && isFresh(held)) return held.identity
      return unknown.has(digestHex) ? null : await askOrBridge(digestHex)
    },
    // Without a look at its form: only the digest of a good key is held.
    peek: (text) => {
      const held = find(digestKeyHex(text))
      return held !== undefined && isFresh(held) ? held.identity : undefined
    },
    forget: (digestHex) => {
      revocations += 1
      // Whoever asks from now on must not join a look-up that began before.
      lookUps.delete(digestHex)
      drop(digestHex)
    },
    forgetWorkspace: (workspaceId) => {
      revocations += 1
      lookUps.clear()
      for (const [digestHex, { identity }] of known.entries())
        if (identity.workspaceId === workspaceId) known.delete(digestHex)
    },
    forgetAll: () => {
      revocations += 1
      lookUps.clear()
      known.clear()
      options.onForgotten(null)
    },
  }
}
