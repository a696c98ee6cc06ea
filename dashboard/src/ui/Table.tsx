import type { ReactNode } from 'react'
import styles from './table.module.css'
import { titleIfCut } from './title-if-cut.ts'

export type Column<Row> = {
  readonly key: string
  readonly header: ReactNode
  readonly cell: (row: Row) => ReactNode
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean
  /** How the rows are sorted by this column; null: they can be sorted by it, and are not. */
  readonly sorted?: 'ascending' | 'descending' | null
  /** The column names the row, and takes the width that the others leave. */
  readonly isName?: boolean
  /** The texts of the column are sentences, which wrap; others are cut if they are too long. */
  readonly isSentence?: boolean
}

/** A table with its own horizontal scrolling. If no column has `isName`, the first one names the row. */
export function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
  isCurrent,
}: {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  /** Marks the row that is shown beside the table. */
  readonly isCurrent?: (row: Row) => boolean
}) {
  const nameAt = Math.max(
    0,
    columns.findIndex(({ isName = false }) => isName),
  )
  return (
    <div className={`sideways ${styles.scroll}`} role="region" aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map(({ key, header, isNumber = false, sorted }) => (
              <th
                key={key}
                scope="col"
                className={isNumber ? styles.number : ''}
                aria-sort={sorted === null ? 'none' : sorted}
              >
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} aria-current={isCurrent?.(row)}>
              {columns.map(({ key, cell, isNumber = false, isSentence = false }, at) =>
                at === nameAt ? (
                  <th
                    key={key}
                    scope="row"
                    className={isSentence ? `${styles.name} ${styles.sentence}` : styles.name}
                    onPointerEnter={titleIfCut}
                  >
                    {cell(row)}
                  </th>
                ) : (
                  <td key={key} className={isNumber ? styles.number : ''}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
