import { type ReactNode, useEffect } from 'react'
import styles from './page.module.css'

/** A page: its only h1 heading, the actions for the whole page, and its content. */
export function Page({
  title,
  tabTitle = title,
  actions,
  children,
}: {
  readonly title: string
  /** The title of the browser tab. */
  readonly tabTitle?: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  useEffect(() => {
    document.title = `${tabTitle} · Tracewright`
  }, [tabTitle])
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h1 tabIndex={-1}>{title}</h1>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}
