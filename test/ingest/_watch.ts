// A database that records the failures of its transactions.

import { Outage } from '../../src/base/fault.ts'
import type { Database } from '../../src/store/database.ts'
import { readSqlstate } from '../../src/store/sqlstate.ts'

export type Watched = Database & {
  /** SQLSTATEs of the failed transactions, in order. */
  readonly failures: (string | null)[]
  /** Number of begun transactions. */
  transactions(): number
}

export function watch(db: Database): Watched {
  const failures: (string | null)[] = []
  let begun = 0
  return {
    ...db,
    failures,
    transactions: () => begun,
    async tx(work) {
      begun++
      try {
        return await db.tx(work)
      } catch (error) {
        failures.push(readSqlstate(error instanceof Outage ? error.cause : error))
        throw error
      }
    },
  }
}
