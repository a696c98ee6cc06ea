import type { ReactNode } from 'react'
import styles from './empty.module.css'

/** What stands where nothing is: one sentence that says why, and one thing to do about it. */
export function Empty({ children, action }: { readonly children: ReactNode; readonly action?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p>{children}</p>
      {action}
    </div>
  )
}
