// The number of rows of a batch, which becomes smaller if a batch does not end within the statement timeout: rows may be large.
import { Outage } from '../base/fault.ts'
import { readSqlstate, sqlstate } from './sqlstate.ts'

export type BatchSize = { rows: number }

/** True if PostgreSQL canceled the statement, as it does after the statement timeout. */
export const isCanceled = (error: unknown): boolean =>
  readSqlstate(error instanceof Outage ? error.cause : error) === sqlstate.queryCanceled

/** Runs a batch. If it is canceled, repeats it with half as many rows, and at least one; later batches then have this size, too. */
export async function runFitting<T>(size: BatchSize, run: (rows: number) => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run(size.rows)
    } catch (error) {
      if (size.rows <= 1 || !isCanceled(error)) throw error
      size.rows >>= 1
    }
  }
}
