// Floor 3. While the secret is being changed: sessions' keys that were sealed with the other one are sealed anew.
import { type SealKeys, seal, unsealAny } from '../../base/seal.ts'
import type { Database } from '../../store/database.ts'

type Row = { readonly id: string; readonly sealed_secret: Buffer }

const batchRows = 500
const beforeAllIds = '00000000-0000-0000-0000-000000000000'

/**
 * Looks at every session and gives how many it sealed anew: one query for 500 of them, and one statement for each that changes, so that
 * no lock outlives a row. Any number of processes may do it at once, also towards different secrets. A session that none of
 * the keys opens is left alone. Throws Outage; what was done by then stays. `signal` ends it between two sessions.
 */
export async function resealSessions(db: Database, keys: SealKeys, signal: AbortSignal): Promise<number> {
  let resealed = 0
  for (let after = beforeAllIds; !signal.aborted; ) {
    const rows = await db.rows<Row>('accounts/list-sealed-sessions', [after, batchRows])
    for (const { id, sealed_secret: sealed } of rows) {
      const anew = signal.aborted ? null : sealAnew(keys, sealed, id)
      if (anew !== null) resealed += await db.run('accounts/reseal-session', [id, sealed, anew])
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchRows) break
    after = last.id
  }
  return resealed
}

/** Null where that is not needed, or cannot be. */
function sealAnew(keys: SealKeys, sealed: Buffer, id: string): Buffer | null {
  try {
    const { plaintext, isCurrent } = unsealAny(keys, sealed, id)
    return isCurrent ? null : seal(keys[0], plaintext, id)
  } catch {
    // Its user signs in again, as after every loss of a secret; whoever refreshes it is answered with a fault that is logged.
    return null
  }
}
