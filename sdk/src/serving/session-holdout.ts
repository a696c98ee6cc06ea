// SDK. The holdout of a rule about unread results. It selects whole sessions, so that the rest of a session can be compared.
import { createHash } from 'node:crypto'

const range = 2 ** 32

/** Returns the same answer for every call of the session, in every process. `session`: the session id, or the trace id without one. */
export function isSessionHeldOut(decisionId: string, session: string, holdoutRate: number): boolean {
  const digest = createHash('sha256')
    .update(JSON.stringify([decisionId, session]))
    .digest()
  return digest.readUInt32BE(0) / range < holdoutRate
}
