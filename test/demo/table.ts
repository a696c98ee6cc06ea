// Small tables of text.

/** The first column to the left, and all others to the right unless they are among `left`; two blanks before each line. */
export function table(rows: readonly (readonly string[])[], left: readonly number[] = [0]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const cell = (text: string, at: number): string =>
    left.includes(at) ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0)
  return rows.map((row) => `  ${row.map(cell).join('  ')}`.trimEnd()).join('\n')
}
