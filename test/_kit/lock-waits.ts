// Holds a row so that others wait for it, and says when they do: races that happen every time.
import pg from 'pg'
import type { TestDatabase } from './db.ts'
import { until } from './until.ts'

/**
 * Locks what the statement selects, starts each piece of work once the one before it waits for that lock, lets go, and gives their results.
 * Throws where one of them does not wait. What other tests of the same file wait for does not count.
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
      // Whoever fails while the next one is waited for is told of by the end of all.
      result.catch(() => undefined)
      running.push(result)
      await until(async () => (await countBehind(holder)) === running.length)
    }
    await holder.query('commit')
    return await Promise.all(running)
  } finally {
    await holder.end()
  }
}

/** Sessions that wait for a lock of this one, or behind one that does; whatever else waits in the database has nothing to do with it. */
export async function countBehind(holder: pg.Client): Promise<number> {
  const { rows } = await holder.query<{ waiting: number }>(
    `with recursive behind (pid) as (
       select pg_backend_pid()
       union select l.pid from pg_locks l join behind b on b.pid = any (pg_blocking_pids(l.pid)) where not l.granted
     ) select count(*)::int - 1 as waiting from behind`,
  )
  return rows[0]?.waiting ?? 0
}
