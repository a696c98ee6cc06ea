// Settles traces as the settling loop does, which tries again where PostgreSQL has ended a transaction.
import { Outage } from '../../src/base/fault.ts'
import { type Settled, settleDueTraces as settleOnce } from '../../src/ingest/settle/settle-traces.ts'
import type { Database } from '../../src/store/database.ts'
import { readSqlstate, sqlstate } from '../../src/store/sqlstate.ts'

/** Tries again if the machine stalled in the middle: PostgreSQL ends a settling transaction that is idle for 1.5 s. */
export async function settleWithRetry(db: Database, quietMs: number): Promise<Settled> {
  for (;;) {
    try {
      return await settleOnce(db, quietMs)
    } catch (error) {
      if (readSqlstate(error instanceof Outage ? error.cause : error) !== sqlstate.idleInTransaction) throw error
    }
  }
}
