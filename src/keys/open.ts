// Keys as the roles see them: the routes, how a key is checked, and what to do when one is revoked elsewhere.
import type { Database } from '../store/database.ts'
import type { KeyIdentity, Route } from '../web/route.ts'
import { openLastUse } from './last-use.ts'
import { makeKeyRoutes } from './routes.ts'
import { type KeyPatience, makeKeyVerifier } from './verify.ts'
import { openRevocationWatch, type RevocationWatch, type RevocationWatchOptions } from './watch-revocations.ts'

export type KeysOptions = {
  readonly db: Database
  /** Called after the commit, with the hexadecimal SHA-256 of the key: tell the other fronts. This one knows already. */
  readonly publishRevoked: (digestHex: string) => void
  /** A key of this workspace, or null: of any, was revoked here or elsewhere: whoever waits under it must be checked again. */
  readonly onForgotten: (workspaceId: string | null) => void
  /** Told of what failed in the background. */
  readonly onError: (error: unknown, doing: string) => void
  readonly flushEveryMs?: number
  readonly patience?: KeyPatience
  /** Where other processes revoke keys too: how this one finds out even if nobody tells it. */
  readonly watch?: Pick<RevocationWatchOptions, 'db' | 'clock' | 'isDatabaseAway'>
}

export type Keys = {
  readonly routes: Route[]
  /** Null: malformed, unknown, revoked or expired. From memory as a rule; a miss is one query. Throws Outage within 2 s, never null for that. */
  readonly verifyKey: (token: string) => Promise<KeyIdentity | null>
  /** The identity, where memory vouches for it now; undefined is not a no. Free. */
  readonly peekKey: (token: string) => KeyIdentity | undefined
  /** A key was revoked on another front. */
  readonly forget: (digestHex: string) => void
  /** A workspace was deleted, here or on another front. */
  readonly forgetWorkspace: (workspaceId: string) => void
  /** How old is what is known of revocations, in ms; 0 where nobody else revokes any. */
  readonly revocationAgeMs: () => number
  /** Writes when keys were last used; it also happens every minute and on stop. */
  readonly flushLastUse: () => Promise<void>
  readonly stop: () => Promise<void>
}

export function openKeys(options: KeysOptions): Keys {
  const { db, publishRevoked, onError, flushEveryMs = 60_000 } = options
  let watch: RevocationWatch | null = null
  const verifier = makeKeyVerifier({
    db,
    isCurrent: () => watch === null || watch.isCurrent(),
    onForgotten: options.onForgotten,
    onLateError: (error) => onError(error, 'looking a key up'),
    ...(options.patience === undefined ? {} : { patience: options.patience }),
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
    verifyKey: async (token) => {
      const identity = await verifier.verify(token)
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
