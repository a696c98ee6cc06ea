// The interface of keys to the roles: the routes, the check of keys, and notices of keys that other fronts revoke.
import type { Database } from '../store/database.ts'
import type { KeyIdentity, Route } from '../web/route.ts'
import { openLastUse } from './last-use.ts'
import { makeKeyRoutes } from './routes.ts'
import { type KeyTimeouts, makeKeyVerifier } from './verify.ts'
import { openRevocationWatch, type RevocationWatch, type RevocationWatchOptions } from './watch-revocations.ts'

export type KeysOptions = {
  readonly db: Database
  /** Called after the commit, with the hexadecimal SHA-256 of the key: must notify the other fronts. This front already knows. */
  readonly publishRevoked: (digestHex: string) => void
  /** A key of this workspace (null: of any) was revoked, here or elsewhere: requests that wait under such a key must be checked again. */
  readonly onForgotten: (workspaceId: string | null) => void
  /** Unix ms, by the clock of the database. */
  readonly nowMs: () => number
  /** Called with errors of background work. */
  readonly onError: (error: unknown, doing: string) => void
  readonly flushEveryMs?: number
  readonly timeouts?: KeyTimeouts
  /** Limit of the queries in progress for the unknown keys of one client. */
  readonly queriesOfClient: number
  /** Set if other processes revoke keys too: finds their revocations even if notices are lost. */
  readonly watch?: Pick<RevocationWatchOptions, 'db' | 'clock' | 'isDatabaseAway'>
}

export type Keys = {
  readonly routes: Route[]
  /**
   * Null: malformed, unknown, revoked or expired. Usually from memory; a miss is one query, which waits for others of the same client address.
   * Throws Outage within 2 s if it cannot check.
   */
  readonly verifyKey: (token: string, ip: string) => Promise<KeyIdentity | null>
  /** Returns the identity if memory can confirm it now; undefined does not mean that the key is invalid. No query. */
  readonly peekKey: (token: string) => KeyIdentity | undefined
  /** A key was revoked on another front. */
  readonly forget: (digestHex: string) => void
  /** A workspace was deleted, here or on another front. */
  readonly forgetWorkspace: (workspaceId: string) => void
  /** The age of what this process knows about revocations, in ms; 0 if no other process revokes keys. */
  readonly revocationAgeMs: () => number
  /** Writes the times of last use. Also runs every minute and on stop. */
  readonly flushLastUse: () => Promise<void>
  readonly stop: () => Promise<void>
}

export function openKeys(options: KeysOptions): Keys {
  const { db, publishRevoked, onError, flushEveryMs = 60_000 } = options
  let watch: RevocationWatch | null = null
  const verifier = makeKeyVerifier({
    db,
    nowMs: options.nowMs,
    isCurrent: () => watch === null || watch.isCurrent(),
    onForgotten: options.onForgotten,
    onLateError: (error) => onError(error, 'looking up a key'),
    queriesOfClient: options.queriesOfClient,
    ...(options.timeouts === undefined ? {} : { timeouts: options.timeouts }),
  })
  if (options.watch !== undefined)
    watch = openRevocationWatch({
      ...options.watch,
      forget: verifier.forget,
      forgetAll: verifier.forgetAll,
      onError: (error) => onError(error, 'looking for revoked keys'),
    })
  const lastUse = openLastUse({ db, onError, flushEveryMs })
  return {
    routes: makeKeyRoutes({
      db,
      onRevoked: (digestHex) => {
        verifier.forget(digestHex)
        publishRevoked(digestHex)
      },
    }),
    verifyKey: async (token, ip) => {
      const identity = await verifier.verify(token, ip)
      if (identity !== null) lastUse.note(identity)
      return identity
    },
    peekKey: (token) => {
      const identity = verifier.peek(token)
      if (identity !== undefined) lastUse.note(identity)
      return identity
    },
    forget: verifier.forget,
    forgetWorkspace: verifier.forgetWorkspace,
    revocationAgeMs: () => watch?.ageMs() ?? 0,
    flushLastUse: lastUse.flush,
    stop: async () => {
      watch?.stop()
      await lastUse.stop()
    },
  }
}
