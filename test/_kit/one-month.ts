// Runs what a test counts by calendar month.
import type { TestDatabase } from './db.ts'

/** Returns the result of the first run during which no month (UTC, by the clock of the database) ended. Each run needs data of its own. */
export async function inOneMonth<T>(query: TestDatabase['query'], run: () => Promise<T>): Promise<T> {
  for (;;) {
    const before = await readMonth(query)
    const result = await run()
    if ((await readMonth(query)) === before) return result
  }
}

async function readMonth(query: TestDatabase['query']): Promise<string | undefined> {
  const [row] = await query<{ month: string }>("select to_char(now() at time zone 'UTC', 'YYYY-MM') as month")
  return row?.month
}
