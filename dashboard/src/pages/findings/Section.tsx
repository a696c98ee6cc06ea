import type { ReactNode } from 'react'
import styles from './findings.module.css'

/** A part of the panel. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}
