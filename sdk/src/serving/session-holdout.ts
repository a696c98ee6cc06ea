// SDK. The holdout of a rule about unread results: by session, so that what follows in a session can be compared.
import { createHash } from 'node:crypto'

const range = 2 ** 32

/** The same answer for every call of the session, in every process. `session`: its id, or the trace id where there is none. */
export function isSessionHeldOut(decisionId: string, session: string, holdoutRate: number): boolean {
  const digest = createHash('sha256')
    .update(JSON.stringify([decisionId, session]))
    .digest()
  return digest.readUInt32BE(0) / range < holdoutRate
}
