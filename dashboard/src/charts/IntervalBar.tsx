// An estimate with its interval against the floor that it has to reach. Words say the same beside it.
import styles from './bars.module.css'
import { place } from './paths.ts'

type Props = {
  readonly label: string
  readonly lower: number
  readonly upper: number
  readonly floor: number
  /** The ends of the scale. */
  readonly scale?: readonly [least: number, most: number]
}

export function IntervalBar({ label, lower, upper, floor, scale: [least, most] = [0, 1] }: Props) {
  const [start, end] = [place(lower, least, most), place(upper, least, most)]
  return (
    <span className={styles.interval} role="img" aria-label={label} title={label}>
      <span
        className={lower >= floor ? styles.reached : styles.open}
        style={{ left: `${start}%`, width: `${end - start}%` }}
      />
      <i style={{ left: `${place(floor, least, most)}%` }} />
    </span>
  )
}
