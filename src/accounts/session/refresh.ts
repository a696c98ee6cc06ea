// Refreshes tokens: each use rotates the token. The previous token gets the same successor for 30 s; the use of an older one ends the
// session.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { SealKeys } from '../../base/seal.ts'
import { cutOriginIp, type Origin, writeAudit } from '../../store/audit.ts'
import type { Database, Runner } from '../../store/database.ts'
import type { Throttle } from '../throttle.ts'
import { accessTokenS } from './access-token.ts'
import { formatRefreshToken, parseRefreshToken, type RefreshToken } from './refresh-token.ts'
import { openSessionKey } from './session-key.ts'
import { idleMs, type SessionDeps, type TokenPair } from './start.ts'

const graceMs = 30_000

type Deps = SessionDeps & {
  readonly db: Database
  readonly throttle: Throttle
  readonly onSessionsEnded: (userId: string) => void
}
type Input = { readonly refreshToken: string; readonly from: Origin }
/** `ends_at`: when the session ends unless it is refreshed before. */
type Rotated = { readonly counter: number; readonly reused: boolean; readonly ends_at: Date }
type Proven = { readonly userId: string; readonly sessionKey: Buffer }

/** Malformed tokens cost no query, others three. Only a session that ends is locked across two statements. Throws Outage (429, 503). */
export async function refresh(deps: Deps, input: Input): Promise<Outcome<TokenPair, 'bad_refresh_token'>> {
  const token = parseRefreshToken(input.refreshToken)
  if (token === null) return refuse('bad_refresh_token')
  await deps.throttle.refresh(input.from.ip)
  const proven = await prove(deps.db, deps.sealKeys, token)
  if (proven === null) return refuse('bad_refresh_token')

  const now = deps.now()
  const { sessionId } = token
  const values = [sessionId, token.counter, now, new Date(now.getTime() + idleMs), graceMs, cutOriginIp(input.from)]
  const { userId } = proven
  const row = await deps.db.tx(
    async (tx) => {
      const row = await tx.row<Rotated>('accounts/rotate-session', values)
      if (row?.reused === true)
        await writeAudit(tx, { action: 'auth.refresh_reuse', from: input.from, userId, target: sessionId })
      return row
    },
    { readsFirst: true },
  )
  if (row?.reused === true) deps.onSessionsEnded(userId)
  if (row === null || row.reused) return refuse('bad_refresh_token')
  return ok({
    accessToken: await deps.accessTokens.sign({ userId, sessionId }),
    refreshToken: formatRefreshToken(sessionId, row.counter, proven.sessionKey),
    expiresInS: accessTokenS,
    refreshExpiresInS: Math.floor((row.ends_at.getTime() - now.getTime()) / 1_000),
  })
}

/** Returns null if no session made this token. One query. */
export async function prove(on: Runner, sealKeys: SealKeys, token: RefreshToken): Promise<Proven | null> {
  const row = await on.row<{ user_id: string; sealed_secret: Buffer }>('accounts/read-session', [token.sessionId])
  if (row === null) return null
  const sessionKey = openSessionKey(sealKeys, row.sealed_secret, token.sessionId)?.plaintext
  return sessionKey !== undefined && token.isMadeWith(sessionKey) ? { userId: row.user_id, sessionKey } : null
}
