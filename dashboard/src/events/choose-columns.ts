// The parameter `cols`: the columns of a table of spans, by their names and in their order.
import type { Reader } from '../window/filters.ts'

export const columnKeys = [
  'time',
  'kind',
  'name',
  'agent',
  'subject',
  'status',
  'duration',
  'ttft',
  'tokens',
  'cached',
  'cost',
  'marks',
  'session',
  'provider',
] as const
export type ColumnKey = (typeof columnKeys)[number]

const optional: ReadonlySet<ColumnKey> = new Set(['ttft', 'cached', 'session', 'provider'])
export const usualColumns: readonly ColumnKey[] = columnKeys.filter((key) => !optional.has(key))

const isKey = (text: string): text is ColumnKey => columnKeys.some((key) => key === text)

/** The name is the link to the span, so that a row has it always. */
const withName = (keys: ReadonlySet<ColumnKey>): ColumnKey[] =>
  columnKeys.filter((key) => key === 'name' || keys.has(key))

export const columnsFilter: Reader<readonly ColumnKey[]> = {
  read: (text) => {
    const parts = text.split(',')
    return parts.every(isKey) ? withName(new Set(parts)) : null
  },
  expects: `names out of ${columnKeys.join(', ')}`,
}

/** The text of `cols` after some columns of it were shown or hidden, each by one turn. */
export function turnColumns(text: string | undefined, turned: readonly ColumnKey[]): string | null {
  const shown = (text === undefined ? null : columnsFilter.read(text)) ?? usualColumns
  return writeColumns(columnKeys.filter((key) => shown.includes(key) !== turned.includes(key)))
}

/** The text of `cols`; null where these are the usual columns, which the URL leaves out. */
export function writeColumns(chosen: Iterable<ColumnKey>): string | null {
  const text = withName(new Set(chosen)).join(',')
  return text === usualColumns.join(',') ? null : text
}
