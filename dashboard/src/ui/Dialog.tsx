import { type ReactNode, useEffect } from 'react'
import { Heading, Modal, ModalOverlay, Dialog as Panel } from 'react-aria-components'
import styles from './dialog.module.css'

/** A modal dialog. Afterwards the focus returns to the control that opened it, or to the page's heading if that control is gone. */
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
  /** Whether a click outside of the dialog or Escape closes it. */
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

/** Focuses the heading if no element has the focus: the button that opened the dialog may have been removed with its row. */
function focusHeading(): void {
  // The focus returns to the opener one frame after the dialog is removed.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) document.querySelector('h1')?.focus()
    }),
  )
}
