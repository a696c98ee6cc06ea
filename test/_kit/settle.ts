// Settles traces as the settling loop does, except that a machine that stalls in the middle does not end the transaction.
import { type Settled, settleDueTraces } from '../../src/ingest/settle/settle-traces.ts'
import type { Database } from '../../src/store/database.ts'

/**
 * Settles up to 200 due traces without the limit of 1.5 s between two statements; that of the pool applies, 30 s by default. After a
 * transaction that PostgreSQL ended, a second try could skip its traces: the error arrives before their locks are released.
 */
export const settleUnhurried = async (db: Database, quietMs: number): Promise<Settled> =>
  await settleDueTraces(withoutIdleLimit(db), quietMs)

const withoutIdleLimit = (db: Database): Database => ({
  ...db,
  tx: async (work, options) =>
    await db.tx(async (tx) => {
      const send: typeof tx.send = (statement, values) => {
        if (statement !== 'ingest/limit-idle') tx.send(statement, values)
      }
      return await work({ ...tx, send })
    }, options),
})
