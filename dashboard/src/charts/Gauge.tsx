// How much of a limit is used.
import styles from './bars.module.css'
import { place } from './paths.ts'

type Props = {
  readonly label: string
  readonly used: number
  readonly limit: number
  /** The same in words: `412,000 of 5,000,000 events`. */
  readonly text: string
  /** The projected use at the end of the period; null: not known. */
  readonly projected?: number | null
}

const nearShare = 0.8

export function Gauge({ label, used, limit, text, projected = null }: Props) {
  const tone = used >= limit ? 'full' : used >= nearShare * limit ? 'near' : 'free'
  return (
    <div
      className={styles.gauge}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
      aria-valuetext={text}
    >
      <span className={styles[tone]} style={{ width: `${place(used, 0, limit)}%` }} />
      {projected !== null && <i style={{ left: `${place(projected, 0, limit)}%` }} />}
    </div>
  )
}
