import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import styles from './drawer.module.css'

/** The rail on a narrow screen. Following a link closes it. */
export function Drawer({
  isOpen,
  onClose,
  children,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  const { pathname } = useLocation()
  const close = useEffectEvent(onClose)
  useEffect(() => {
    // Reading `pathname` makes this effect run when it changes.
    if (pathname !== '') close()
  }, [pathname])
  return (
    <ModalOverlay
      className={styles.overlay ?? ''}
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <Modal className={styles.modal ?? ''}>
        <Dialog className={styles.dialog ?? ''} aria-label="Navigation">
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
