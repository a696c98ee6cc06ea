// The legend of a chart, which also shows the values at the cursor. Its size is constant, so that the layout does not shift.
import { explainUnpriced } from '../format/index.ts'
import styles from './chart.module.css'
import { dashOf, nameSlot } from './colours.ts'
import { readSeries, type Series } from './series.ts'
import { formatShort, formatWhole, type Unit } from './units.ts'

type Props = {
  /** The index of the bucket at the cursor. Null: no cursor; the legend shows the sums of the window. */
  readonly at: number | null
  readonly when: string | null
  /** The text for the buckets that were selected by keys. */
  readonly range: string | null
  readonly unit: Unit
  readonly series: readonly Series[]
  readonly isDashed: boolean
}

export function Readout({ at, when, range, unit, series, isDashed }: Props) {
  return (
    <div className={styles.readout}>
      <span className={styles.when}>{range ?? when ?? 'Whole window'}</span>
      <ul className={styles.legend}>
        {series.map((one, nth) => {
          const { key, label, slot } = one
          const { value, unpriced } = readSeries(one, unit, at)
          const isUnknown = at === null && value === null
          const whole = [formatWhole(unit, value, unpriced), explainUnpriced(unpriced)].filter(Boolean).join(', ')
          return (
            <li key={key}>
              <Swatch slot={slot} dash={isDashed ? dashOf(nth) : null} />
              <span className={styles.label}>{label}</span>
              <span className={styles.value} title={isUnknown ? undefined : whole}>
                {isUnknown ? '' : formatShort(unit, value, unpriced)}
              </span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function Swatch({ slot, dash }: { readonly slot: Series['slot']; readonly dash: readonly number[] | null }) {
  return (
    <svg className={styles.swatch} width="16" height="8" aria-hidden="true">
      <line
        x1="0"
        x2="16"
        y1="4"
        y2="4"
        strokeWidth="4"
        stroke={`var(${nameSlot(slot)})`}
        strokeDasharray={dash?.join(' ')}
      />
    </svg>
  )
}
