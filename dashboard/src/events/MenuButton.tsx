import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import styles from '../ui/button.module.css'

/** The button of a menu. It looks like any other button and opens the menu when pressed. */
export function MenuButton({ icon: Icon, children }: { readonly icon: LucideIcon; readonly children: ReactNode }) {
  return (
    <Button className={styles.button ?? ''}>
      <Icon size={14} aria-hidden="true" />
      {children}
    </Button>
  )
}
