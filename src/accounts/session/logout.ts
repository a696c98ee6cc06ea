// Logs out: ends the whole session of a refresh token, even of a token that was already rotated.
import type { SealKeys } from '../../base/seal.ts'
import { type Origin, writeAudit } from '../../store/audit.ts'
import type { Database } from '../../store/database.ts'
import type { Throttle } from '../throttle.ts'
import { prove } from './refresh.ts'
import { parseRefreshToken } from './refresh-token.ts'

type Deps = {
  readonly db: Database
  readonly throttle: Throttle
  readonly sealKeys: SealKeys
  readonly now: () => Date
  readonly onSessionsEnded: (userId: string) => void
}

/** Returns the same whether or not there was a session to end. The session's access tokens become invalid with it (`live-sessions.ts`). */
export async function logout(
  deps: Deps,
  input: { readonly refreshToken: string; readonly from: Origin },
): Promise<void> {
  const token = parseRefreshToken(input.refreshToken)
  if (token === null) return
  await deps.throttle.refresh(input.from.ip)
  const proven = await prove(deps.db, deps.sealKeys, token)
  if (proven === null) return
  const { userId } = proven
  const ended = await deps.db.tx(async (tx) => {
    const ended = await tx.run('accounts/revoke-session', [token.sessionId, deps.now()])
    if (ended > 0) await writeAudit(tx, { action: 'auth.logout', from: input.from, userId, target: token.sessionId })
    return ended
  })
  if (ended > 0) deps.onSessionsEnded(userId)
}
