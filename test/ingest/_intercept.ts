// A database whose transactions can be stopped before a statement, or made to skip one.
import type { Database } from '../../src/store/database.ts'

/** Called with the name of each statement of a transaction. On `skip`, `run` and `send` leave the statement out. */
export type BeforeStatement = (statement: string) => 'skip' | undefined | Promise<undefined>

export const intercept = (db: Database, before: BeforeStatement): Database => ({
  ...db,
  tx: async (work, options) =>
    await db.tx(async (tx) => {
      let turn: Promise<unknown> = Promise.resolve()
      // In the order of the calls, which do not wait for each other.
      const inTurn = async (statement: string): Promise<boolean> => {
        const own = turn.then(() => before(statement))
        turn = own
        return (await own) !== 'skip'
      }
      return await work({
        ...tx,
        rows: async <Row extends object>(statement: string, values?: readonly unknown[]) => {
          await inTurn(statement)
          return await tx.rows<Row>(statement, values)
        },
        row: async <Row extends object>(statement: string, values?: readonly unknown[]) => {
          await inTurn(statement)
          return await tx.row<Row>(statement, values)
        },
        run: async (statement, values) => ((await inTurn(statement)) ? await tx.run(statement, values) : 0),
        // The caller does not wait for it, so it cannot be stopped.
        send: (statement, values) => {
          if (before(statement) !== 'skip') tx.send(statement, values)
        },
      })
    }, options),
})
