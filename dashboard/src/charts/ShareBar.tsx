// A bar for a number's share of a whole, drawn behind its text in tables.
import { formatShare } from '../format/index.ts'
import styles from './bars.module.css'
import { nameSlot, type Slot } from './colours.ts'
import { place } from './paths.ts'

type Props = {
  readonly part: number
  readonly whole: number
  /** What screen readers read instead of the bar. */
  readonly label?: string
  readonly slot?: Slot
}

export function ShareBar({ part, whole, label = formatShare(part, whole), slot = 1 }: Props) {
  const width = `${place(part, 0, whole)}%`
  return (
    <span className={styles.share} role="img" aria-label={label} title={label}>
      <span style={{ width, background: `var(${nameSlot(slot)})` }} />
    </span>
  )
}
