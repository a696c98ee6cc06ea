// A database whose transactions can be stopped before a statement, or made to leave one out.
import type { Database } from '../../src/store/database.ts'

/** Called with the name of each statement of a transaction. `skip`: `run` leaves it out. */
export type BeforeStatement = (statement: string) => 'skip' | undefined | Promise<undefined>

export const intercept = (db: Database, before: BeforeStatement): Database => ({
  ...db,
  tx: async (work, options) =>
    await db.tx(
      async (tx) =>
        await work({
          ...tx,
          rows: async <Row extends object>(statement: string, values?: readonly unknown[]) => {
            await before(statement)
            return await tx.rows<Row>(statement, values)
          },
          row: async <Row extends object>(statement: string, values?: readonly unknown[]) => {
            await before(statement)
            return await tx.row<Row>(statement, values)
          },
          run: async (statement, values) =>
            (await before(statement)) === 'skip' ? 0 : await tx.run(statement, values),
        }),
      options,
    ),
})
