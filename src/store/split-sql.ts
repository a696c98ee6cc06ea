// Splits SQL text into its statements, as the server would.

/** Text in which a semicolon ends no statement: a dollar quote, a literal, a quoted name or a comment. */
const opaque =
  /\$([A-Za-z_][A-Za-z_0-9]*)?\$[\s\S]*?\$\1\$|\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*/g

/**
 * Returns the statements in order, trimmed, without line comments and without the semicolons that end them. Does not support block
 * comments.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = []
  let statement = ''
  let from = 0
  const take = (text: string): void => {
    const [first = '', ...others] = text.split(';')
    statement += first
    for (const next of others) {
      statements.push(statement)
      statement = next
    }
  }
  for (const found of sql.matchAll(opaque)) {
    take(sql.slice(from, found.index))
    if (!found[0].startsWith('--')) statement += found[0]
    from = found.index + found[0].length
  }
  take(sql.slice(from))
  return [...statements, statement].map((text) => text.trim()).filter((text) => text !== '')
}

const marker = /^-- on (chunks|plain tables)$/m

/** Whether a file has different statements for tables in chunks and for plain tables. */
export const hasTableVariants = (sql: string): boolean => marker.test(sql)

/**
 * Returns the statements for one of the two. Those below a line `-- on chunks` or `-- on plain tables` apply to that kind only, up to the
 * next such line.
 */
export function chooseStatements(sql: string, isChunked: boolean): string[] {
  const wanted = isChunked ? 'chunks' : 'plain tables'
  const [all = '', ...sections] = sql.split(marker)
  const chosen = sections.filter((_, at) => at % 2 === 1 && sections[at - 1] === wanted)
  return [all, ...chosen].flatMap(splitStatements)
}
