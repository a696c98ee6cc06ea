import type { ReactNode } from 'react'
import styles from './empty.module.css'

/** Shown in place of missing content: one sentence with the reason, and one action that helps. */
export function Empty({ children, action }: { readonly children: ReactNode; readonly action?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p>{children}</p>
      {action}
    </div>
  )
}
