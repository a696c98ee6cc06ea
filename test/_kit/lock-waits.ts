// Holds a row so that others wait for it, and says when they do: races that happen every time.
import pg from 'pg'
import type { TestDatabase } from './db.ts'
import { until } from './until.ts'

/**
 * Locks what the statement selects, starts each piece of work once the one before it waits for that lock, lets go, and gives their results.
 * Throws where one of them does not wait. What other tests of the same file wait for does not count.
 */
export async function queueBehind<Result>(
  database: Pick<TestDatabase, 'url' | 'query'>,
  lock: { readonly text: string; readonly values: readonly unknown[] },
  work: readonly (() => Promise<Result>)[],
): Promise<Result[]> {
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query(lock.text, [...lock.values])
    const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid')
    const running: Promise<Result>[] = []
    for (const one of work) {
      const result = one()
      // Whoever fails while the next one is waited for is told of by the end of all.
      result.catch(() => undefined)
      running.push(result)
      await until(async () => (await countBehind(database, rows[0]?.pid)) === running.length)
    }
    await holder.query('commit')
    return await Promise.all(running)
  } finally {
    await holder.end()
  }
}

/** Sessions that wait for this one, or for another one that does. */
async function countBehind({ query }: Pick<TestDatabase, 'query'>, holder: number | undefined): Promise<number> {
  const [row] = await query<{ waiting: number }>(
    `with recursive waits as (
       select pid, pg_blocking_pids(pid) as blockers from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'
     ), behind as (
       select pid from waits where $1::int = any (blockers)
       union
       select w.pid from waits w join behind b on b.pid = any (w.blockers)
     )
     select count(*)::int as waiting from behind`,
    [holder],
  )
  return row?.waiting ?? 0
}
