// Locks a row so that other sessions wait for it, and detects that they do. This makes races deterministic.
import pg from 'pg'
import type { TestDatabase } from './db.ts'
import { until } from './until.ts'

/**
 * Locks the rows that the statement selects, starts each work function once the one before it waits for that lock, releases the lock, and
 * returns their results. Throws where one of them does not wait. Waits of other tests of the same file do not count.
 */
export async function queueBehind<Result>(
  database: Pick<TestDatabase, 'url'>,
  lock: { readonly text: string; readonly values: readonly unknown[] },
  work: readonly (() => Promise<Result>)[],
): Promise<Result[]> {
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query(lock.text, [...lock.values])
    const running: Promise<Result>[] = []
    for (const one of work) {
      const result = one()
      // A failure in the meantime is reported by Promise.all at the end.
      result.catch(() => undefined)
      running.push(result)
      await until(async () => (await countBehind(holder)) >= running.length)
    }
    await holder.query('commit')
    return await Promise.all(running)
  } finally {
    await holder.end()
  }
}

/** Counts the sessions that wait, directly or indirectly, for a lock of this session. Other waits in the database do not count. */
export async function countBehind(holder: pg.Client): Promise<number> {
  const { rows } = await holder.query<{ waiting: number }>(
    `with recursive behind (pid) as (
       select pg_backend_pid()
       union select l.pid from pg_locks l join behind b on b.pid = any (pg_blocking_pids(l.pid)) where not l.granted
     ) select count(*)::int - 1 as waiting from behind`,
  )
  return rows[0]?.waiting ?? 0
}
