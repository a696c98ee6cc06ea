import { OctagonAlert, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './overview.module.css'

/** One line at the top of the page. */
export function Notice({
  isCritical = false,
  children,
}: {
  readonly isCritical?: boolean
  readonly children: ReactNode
}) {
  const Icon = isCritical ? OctagonAlert : TriangleAlert
  return (
    <p className={isCritical ? styles.critical : styles.warning}>
      <Icon size={14} aria-label={isCritical ? 'Critical' : 'Warning'} />
      <span>{children}</span>
    </p>
  )
}
