// A line without axes beside a number. Its label describes it, since the picture has no scale.

import styles from './bars.module.css'
import { drawSparkline } from './paths.ts'
import type { Value } from './units.ts'

type Props = {
  readonly values: readonly Value[]
  /** What screen readers read: `Cost by hour, highest $1.20`. */
  readonly label: string
  readonly width?: number
  readonly height?: number
}

export function Sparkline({ values, label, width = 96, height = 24 }: Props) {
  return (
    <svg
      className={styles.sparkline}
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      <path d={drawSparkline(values, { width, height })} />
    </svg>
  )
}
