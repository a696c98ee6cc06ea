import { type ReactNode, useEffect } from 'react'
import { Heading, Modal, ModalOverlay, Dialog as Panel } from 'react-aria-components'
import styles from './dialog.module.css'

/** A question that has to be answered before anything else. The focus goes back to its opener, or to the heading where that is gone. */
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
  useEffect(() => (isOpen ? focusHeading : undefined), [isOpen])
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

/** A row that was removed takes along the button that opened the dialog. */
function focusHeading(): void {
  // The focus goes back to the opener a frame after the dialog is gone.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) document.querySelector('h1')?.focus()
    }),
  )
}
