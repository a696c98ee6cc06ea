import type { ReactNode } from 'react'
import styles from './tile.module.css'

/** One figure of a page, with its change and a sparkline. */
export function Tile({
  label,
  value,
  exact,
  change,
  children,
}: {
  readonly label: string
  readonly value: ReactNode
  /** The unrounded value, shown on hover. */
  readonly exact?: string | undefined
  readonly change?: ReactNode
  /** A sparkline. */
  readonly children?: ReactNode
}) {
  return (
    <div className={styles.tile}>
      <dt>{label}</dt>
      <dd>
        <span className={styles.value} title={exact}>
          {value}
        </span>
        <span className={styles.change}>{change}</span>
        {children}
      </dd>
    </div>
  )
}
