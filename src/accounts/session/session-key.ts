// Opens a session's own key, which is stored sealed and signs its refresh tokens.
import { type SealKeys, unsealAny } from '../../base/seal.ts'

/** Returns null if no key opens it: the secret that sealed it is gone, and the user must sign in again. */
export function openSessionKey(
  keys: SealKeys,
  sealed: Uint8Array,
  sessionId: string,
): ReturnType<typeof unsealAny> | null {
  try {
    return unsealAny(keys, sealed, sessionId)
  } catch {
    return null
  }
}
