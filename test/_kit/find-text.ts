// Searches for a text in every column of every table, whatever their types.
import type { TestDatabase } from './db.ts'

/** Returns the tables with a row that contains the text, in upper or lower case, also as the bytes of a bytea. */
export async function findText({ query }: Pick<TestDatabase, 'query'>, text: string): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const hex = Buffer.from(text).toString('hex')
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await query(
      `select from ${name} t where position(lower($1) in lower(t::text)) > 0 or position($2 in t::text) > 0 limit 1`,
      [text, hex],
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}
