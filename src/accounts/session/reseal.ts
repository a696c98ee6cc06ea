// During a change of the secret: seals anew the session keys that were sealed with the other secret.
import { nilUuid } from '../../base/ids.ts'
import { type SealKeys, seal } from '../../base/seal.ts'
import type { Database } from '../../store/database.ts'
import { openSessionKey } from './session-key.ts'

type Row = { readonly id: string; readonly sealed_secret: Buffer }

const batchRows = 500

/** The number of sessions that were sealed again, and of sessions that no key can open: their users must sign in again. */
export type Resealed = { readonly sessions: number; readonly lost: number }

/**
 * Scans all sessions: one query for each 500, and one statement for each session that changes, so that no lock is held for more than one
 * row. Any number of processes may run it at once, even towards different secrets. Throws Outage; changes made before are kept. `signal`
 * ends it between two sessions.
 */
export async function resealSessions(db: Database, keys: SealKeys, signal: AbortSignal): Promise<Resealed> {
  let [sessions, lost] = [0, 0]
  for (let after = nilUuid; !signal.aborted; ) {
    const rows = await db.rows<Row>('accounts/list-sealed-sessions', [after, batchRows])
    for (const { id, sealed_secret: sealed } of rows) {
      if (signal.aborted) break
      const opened = openSessionKey(keys, sealed, id)
      if (opened === null) lost += 1
      else if (!opened.isCurrent)
        sessions += await db.run('accounts/reseal-session', [id, sealed, seal(keys[0], opened.plaintext, id)])
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchRows) break
    after = last.id
  }
  return { sessions, lost }
}
