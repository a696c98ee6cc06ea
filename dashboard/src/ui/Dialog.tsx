import type { ReactNode } from 'react'
import { Heading, Modal, ModalOverlay, Dialog as Panel } from 'react-aria-components'
import styles from './dialog.module.css'

/** A question that has to be answered before anything else. The focus goes back to its opener. */
export function Dialog({
  title,
  isOpen,
  onClose,
  isDismissable = true,
  children,
}: {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  /** By a click outside of it or Escape. */
  readonly isDismissable?: boolean
  readonly children: ReactNode
}) {
  return (
    <ModalOverlay
      className={styles.overlay ?? ''}
      isOpen={isOpen}
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isDismissable}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <Modal className={styles.modal ?? ''}>
        <Panel className={styles.dialog ?? ''}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </Panel>
      </Modal>
    </ModalOverlay>
  )
}
