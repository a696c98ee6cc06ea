// Holds a row so that others wait for it, and says when they do: races that happen every time.
import pg from 'pg'
import type { TestDatabase } from './db.ts'
import { until } from './until.ts'

/**
 * Locks what the statement selects, starts each piece of work once the one before it waits for a lock, lets go, and gives their results.
 * Throws where one of them does not wait.
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
    const running: Promise<Result>[] = []
    for (const one of work) {
      running.push(one())
      await until(async () => (await countWaiting(database)) === running.length)
    }
    await holder.query('commit')
    return await Promise.all(running)
  } finally {
    await holder.end()
  }
}

async function countWaiting({ query }: Pick<TestDatabase, 'query'>): Promise<number> {
  const [row] = await query<{ waiting: number }>(
    "select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return row?.waiting ?? 0
}
