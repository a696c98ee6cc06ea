import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { Heading, Modal, ModalOverlay, Dialog as Panel } from 'react-aria-components'
import { Button, type ButtonProps } from './Button.tsx'
import styles from './dialog.module.css'

type Closing = { readonly isBusy: boolean; readonly onClose: () => void }

const Closing = createContext<Closing>({ isBusy: false, onClose: () => undefined })

/**
 * A modal dialog. Afterwards the focus returns to the control that opened it, or to the page's heading if that control is gone.
 *
 * While its request is pending, nothing closes it: the request cannot be taken back, and its result or failure is shown only here.
 */
export function Dialog({
  title,
  isOpen,
  onClose,
  isDismissable = true,
  isBusy = false,
  children,
}: {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Whether a click outside of the dialog or Escape closes it. */
  readonly isDismissable?: boolean
  /** Whether a request of the dialog is pending. */
  readonly isBusy?: boolean
  readonly children: ReactNode
}) {
  useEffect(() => (isOpen ? focusHeading : undefined), [isOpen])
  const canDismiss = isDismissable && !isBusy
  return (
    <ModalOverlay
      className={styles.overlay ?? ''}
      isOpen={isOpen}
      isDismissable={canDismiss}
      isKeyboardDismissDisabled={!canDismiss}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <Modal className={styles.modal ?? ''}>
        <Panel className={styles.dialog ?? ''}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          <Closing value={{ isBusy, onClose }}>{children}</Closing>
        </Panel>
      </Modal>
    </ModalOverlay>
  )
}

type CloseProps = Pick<ButtonProps, 'variant' | 'children'>

/** The button that closes the dialog around it. */
export function CloseButton({ variant = 'default', children }: CloseProps) {
  const { isBusy, onClose } = useContext(Closing)
  return (
    <Button variant={variant} unavailable={isBusy ? 'The request is not answered yet' : undefined} onClick={onClose}>
      {children}
    </Button>
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
