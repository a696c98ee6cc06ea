// Locks a table, so that any statement that uses it waits: a way to stop the service at a chosen point.
import pg from 'pg'
import type { TestService } from '../_kit/serve.ts'
import { until } from '../_kit/until.ts'

export type Lock = {
  /** Resolves when a connection of this pool waits for a lock. */
  waitedFor(pool: 'ingest' | 'control' | 'reads'): Promise<void>
  /** Cancels the waiting statements, as their own time limit would. */
  cancelWaiting(): Promise<void>
  release(): Promise<void>
}

export async function lockTable(service: TestService, table: string): Promise<Lock> {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  await client.query(`begin; lock table ${table} in access exclusive mode`)
  const where = `datname = current_database() and wait_event_type = 'Lock'`
  return {
    async waitedFor(pool) {
      await until(async () => {
        await client.query('select pg_stat_clear_snapshot()')
        const rows = await client.query(`select from pg_stat_activity where ${where} and application_name = $1`, [
          `tracewright-${pool}`,
        ])
        return (rows.rowCount ?? 0) > 0
      })
    },
    cancelWaiting: async () =>
      void (await client.query(`select pg_cancel_backend(pid) from pg_stat_activity where ${where}`)),
    release: async () => await client.end(),
  }
}
