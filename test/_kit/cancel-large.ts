// A database that cancels statements with more than a number of rows, as PostgreSQL does if they take too long.
import { Outage } from '../../src/base/fault.ts'
import type { Database } from '../../src/store/database.ts'

/** Cancels the statement if its last value, the number of rows, is larger than `maxRows`. Calls `onRun` with each number. */
export const cancelLarge = (db: Database, name: string, maxRows: number, onRun: (rows: number) => void): Database => ({
  ...db,
  tx: async (work, options) =>
    await db.tx(async (tx) => {
      const check = (statement: string, values: readonly unknown[] = []): void => {
        if (statement !== name) return
        const rows = Number(values.at(-1))
        onRun(rows)
        if (rows <= maxRows) return
        throw new Outage('failure', 'the database is not available', {
          cause: Object.assign(new Error('canceled'), { code: '57014' }),
        })
      }
      return await work({
        ...tx,
        row: async <Row extends object>(statement: string, values?: readonly unknown[]) => {
          check(statement, values)
          return await tx.row<Row>(statement, values)
        },
        run: async (statement, values) => {
          check(statement, values)
          return await tx.run(statement, values)
        },
      })
    }, options),
})
