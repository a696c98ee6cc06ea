// Floor 3. Which workspace a key text stands for: checksum, then memory, then one query for all who wait for the same key.
import { LRUCache } from 'lru-cache'
import { Outage } from '../base/fault.ts'
import type { Database } from '../store/database.ts'
import type { KeyIdentity } from '../web/route.ts'
import { digestKeyHex, isKeyText } from './key-text.ts'

const maxKnown = 10_000
const maxUnknown = 10_000
const maxLookups = 1_000
const knownMs = 30_000
// While the database is away keys are known for longer, as the rules are that they ask for.
const bridgeMs = 60_000
const askAgainMs = 1_000
const unknownMs = 5_000

export type KeyVerifier = {
  /** Null: no such key, revoked or expired. Throws Outage where it cannot be looked up now; never null for that. */
  readonly verify: (text: string) => Promise<KeyIdentity | null>
  /** What memory vouches for now; undefined is not a no. No query, no promise. */
  readonly peek: (text: string) => KeyIdentity | undefined
  readonly forget: (digestHex: string) => void
  readonly forgetWorkspace: (workspaceId: string) => void
  readonly forgetAll: () => void
}

type Held = { readonly identity: KeyIdentity; freshUntilMs: number }
type Row = { id: string; workspace_id: string; expires_at: Date | null }

/**
 * 10,000 keys for 30 s; unknown ones apart, for 5 s, so that guesses cannot push out what is in use. `isCurrent`: every revocation
 * up to now is known here; while it says no, memory vouches for nobody.
 */
export function makeKeyVerifier(db: Pick<Database, 'row'>, isCurrent: () => boolean = () => true): KeyVerifier {
  const known = new LRUCache<string, Held>({ max: maxKnown, ttl: knownMs + bridgeMs })
  const unknown = new LRUCache<string, true>({ max: maxUnknown, ttl: unknownMs })
  const lookups = new Map<string, Promise<KeyIdentity | null>>()
  // Bumped by every revocation, so that a look-up which began before it is not kept.
  let revocations = 0

  const find = (digestHex: string): Held | undefined => (isCurrent() ? known.get(digestHex) : undefined)
  const isFresh = (held: Held): boolean => performance.now() < held.freshUntilMs

  async function lookUp(digestHex: string, digest: Buffer): Promise<KeyIdentity | null> {
    const before = revocations
    const row = await db.row<Row>('keys/find-by-digest', [digest])
    if (row === null) {
      known.delete(digestHex)
      unknown.set(digestHex, true)
      return null
    }
    const identity: KeyIdentity = { keyId: row.id, workspaceId: row.workspace_id }
    const longestMs = knownMs + bridgeMs
    const lifeMs = row.expires_at === null ? longestMs : Math.min(longestMs, row.expires_at.getTime() - Date.now())
    if (before === revocations && lifeMs > 0)
      known.set(digestHex, { identity, freshUntilMs: performance.now() + knownMs }, { ttl: lifeMs })
    return identity
  }

  /** In an outage what memory vouched for until now goes on, since nobody can have revoked it. */
  async function lookUpOrBridge(digestHex: string): Promise<KeyIdentity | null> {
    try {
      return await shareLookUp(digestHex, Buffer.from(digestHex, 'hex'))
    } catch (error) {
      const held = find(digestHex)
      if (held === undefined || !(error instanceof Outage)) throw error
      held.freshUntilMs = performance.now() + askAgainMs
      return held.identity
    }
  }

  async function shareLookUp(digestHex: string, digest: Buffer): Promise<KeyIdentity | null> {
    const running = lookups.get(digestHex)
    if (running !== undefined) return await running
    if (lookups.size >= maxLookups) throw new Outage('too many key lookups are in progress')
    const lookup: Promise<KeyIdentity | null> = lookUp(digestHex, digest).finally(() => {
      if (lookups.get(digestHex) === lookup) lookups.delete(digestHex)
    })
    lookups.set(digestHex, lookup)
    return await lookup
  }

  return {
    verify: async (text) => {
      if (!isKeyText(text)) return null
      const digestHex = digestKeyHex(text)
      const held = find(digestHex)
      if (held !== undefined && isFresh(held)) return held.identity
      return unknown.has(digestHex) ? null : await lookUpOrBridge(digestHex)
    },
    // Without a look at its form: only the digest of a good key is held.
    peek: (text) => {
      const held = find(digestKeyHex(text))
      return held !== undefined && isFresh(held) ? held.identity : undefined
    },
    forget: (digestHex) => {
      revocations += 1
      // Whoever asks from now on must not join a look-up that began before.
      lookups.delete(digestHex)
      known.delete(digestHex)
    },
    forgetWorkspace: (workspaceId) => {
      revocations += 1
      lookups.clear()
      for (const [digestHex, { identity }] of known.entries())
        if (identity.workspaceId === workspaceId) known.delete(digestHex)
    },
    forgetAll: () => {
      revocations += 1
      lookups.clear()
      known.clear()
    },
  }
}
