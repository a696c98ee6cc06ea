// The session's own key, which makes its refresh tokens, as it is stored: sealed.
import { type SealKeys, unsealAny } from '../../base/seal.ts'

/** Null where none of the keys opens it: the secret that sealed it is gone, and the user has to sign in again. */
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
