import type { ReactNode } from 'react'
import styles from './tile.module.css'

/** One figure of a page, with how it changed and its course. */
export function Tile({
  label,
  value,
  exact,
  change,
  children,
}: {
  readonly label: string
  readonly value: ReactNode
  /** The whole number, for hover. */
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
