// The parameter `cols`: the names of the shown columns of a table of spans, in order.
import type { Reader } from '../window/filters.ts'

export const columnKeys = [
  'time',
  'kind',
  'name',
  'agent',
  'subject',
  'status',
  'error',
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

const optional: ReadonlySet<ColumnKey> = new Set(['error', 'ttft', 'cached', 'session', 'provider'])
export const usualColumns: readonly ColumnKey[] = columnKeys.filter((key) => !optional.has(key))
const failedColumns: readonly ColumnKey[] = ['time', 'kind', 'name', 'agent', 'subject', 'status', 'error', 'duration']

/** Returns the columns that a list shows unless the URL names others: a list of failed spans shows why they failed. */
export const usualColumnsOf = (status: string | undefined): readonly ColumnKey[] =>
  status === 'error' ? failedColumns : usualColumns

const isKey = (text: string): text is ColumnKey => columnKeys.some((key) => key === text)

/** Adds the name column, which links to the span and is always shown, and puts the columns in order. */
const withName = (keys: ReadonlySet<ColumnKey>): ColumnKey[] =>
  columnKeys.filter((key) => key === 'name' || keys.has(key))

export const columnsFilter: Reader<readonly ColumnKey[]> = {
  read: (text) => {
    const parts = text.split(',')
    return parts.every(isKey) ? withName(new Set(parts)) : null
  },
  expects: `names out of ${columnKeys.join(', ')}`,
}

/** Returns the text of `cols` after the columns `turned` have been toggled. */
export function turnColumns(
  text: string | undefined,
  turned: readonly ColumnKey[],
  usual: readonly ColumnKey[] = usualColumns,
): string | null {
  const shown = (text === undefined ? null : columnsFilter.read(text)) ?? usual
  return writeColumns(
    columnKeys.filter((key) => shown.includes(key) !== turned.includes(key)),
    usual,
  )
}

/** Returns the text of `cols`; null for the default columns, which the URL leaves out. */
export function writeColumns(chosen: Iterable<ColumnKey>, usual: readonly ColumnKey[] = usualColumns): string | null {
  const text = withName(new Set(chosen)).join(',')
  return text === usual.join(',') ? null : text
}
