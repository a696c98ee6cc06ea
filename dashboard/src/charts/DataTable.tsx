// The table of a chart, with the numbers as the API returned them. The rows are rendered when the table is opened.
import { memo, useState } from 'react'
import styles from './chart.module.css'
import { readSeries, type Series, sumOf } from './series.ts'
import { formatWhole, type Unit } from './units.ts'

type Props = {
  readonly title: string
  readonly unit: Unit
  readonly x: readonly number[]
  readonly series: readonly Series[]
  /** Returns the name of the nth bucket. */
  readonly nameBucket: (nth: number) => string
}

const unitNames: Readonly<Record<Unit, string>> = {
  usd: 'in USD',
  tokens: 'in tokens',
  count: 'counted',
  ms: 'in milliseconds',
  fraction: 'as a fraction',
  evidence: 'as a multiple of the initial value',
}

export const DataTable = memo(function DataTable(props: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Table</summary>
      {isOpen && <Rows {...props} />}
    </details>
  )
})

function Rows({ title, unit, x, series, nameBucket }: Props) {
  const name = `${title}, ${unitNames[unit]}`
  const hasSum = series.some(({ values }) => sumOf(values, unit) !== null)
  return (
    <section className={`sideways ${styles.scroll}`} tabIndex={0} aria-label={name}>
      <table>
        <caption className={styles.hidden}>{name}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {series.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {x.map((start, at) => (
            <tr key={start}>
              <th scope="row">
                <time dateTime={new Date(start).toISOString()}>{nameBucket(at)}</time>
              </th>
              {series.map((one) => (
                <td key={one.key}>{showWhole(one, unit, at)}</td>
              ))}
            </tr>
          ))}
        </tbody>
        {hasSum && (
          <tfoot>
            <tr>
              <th scope="row">Sum</th>
              {series.map((one) => (
                <td key={one.key}>{showWhole(one, unit, null)}</td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  )
}

function showWhole(series: Series, unit: Unit, at: number | null): string {
  const { value, unpriced } = readSeries(series, unit, at)
  return formatWhole(unit, value, unpriced)
}
