// Starts a session: its row, its own key, and the first pair of tokens.
import { randomBytes } from 'node:crypto'
import { makeUuidV7 } from '../../base/ids.ts'
import { type SealKeys, seal } from '../../base/seal.ts'
import { cutOriginIp } from '../../store/audit.ts'
import type { Tx } from '../../store/database.ts'
import type { RequestFacts } from '../../web/route.ts'
import { type AccessTokens, accessTokenS } from './access-token.ts'
import { formatRefreshToken } from './refresh-token.ts'

const dayMs = 86_400_000
export const idleMs = 7 * dayMs
const absoluteMs = 30 * dayMs
const maxSessions = 20
/** The number of ended sessions whose rows are kept, to answer requests with their tokens. */
const maxEnded = 100
const maxUserAgentCharacters = 256

export type TokenPair = {
  readonly accessToken: string
  readonly refreshToken: string
  /** Of the access token. */
  readonly expiresInS: number
  /** Of the refresh token: the time until the session ends if it is not refreshed. */
  readonly refreshExpiresInS: number
}

export type SessionDeps = {
  readonly accessTokens: AccessTokens
  /** Seal the session keys; 32 bytes each. */
  readonly sealKeys: SealKeys
  readonly now: () => Date
}

/**
 * Keeps the user's 20 most recently used sessions live, and the rows of the 100 newest others. Two statements in the caller's transaction,
 * which has inserted or locked the user.
 */
export async function startSession(tx: Tx, deps: SessionDeps, userId: string, from: RequestFacts): Promise<TokenPair> {
  const now = deps.now()
  const sessionId = makeUuidV7(now.getTime())
  const sessionKey = randomBytes(32)
  await tx.run('accounts/insert-session', [
    sessionId,
    userId,
    seal(deps.sealKeys[0], sessionKey, sessionId),
    now,
    new Date(now.getTime() + idleMs),
    new Date(now.getTime() + absoluteMs),
    from.header('user-agent')?.slice(0, maxUserAgentCharacters) || null,
    cutOriginIp(from),
  ])
  await tx.run('accounts/trim-sessions', [userId, now, maxSessions, maxEnded])
  return {
    accessToken: await deps.accessTokens.sign({ userId, sessionId }),
    refreshToken: formatRefreshToken(sessionId, 0, sessionKey),
    expiresInS: accessTokenS,
    refreshExpiresInS: idleMs / 1_000,
  }
}
