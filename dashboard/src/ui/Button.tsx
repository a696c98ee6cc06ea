import type { ComponentProps } from 'react'
import { useId, useState } from 'react'
import styles from './button.module.css'

export type ButtonProps = Omit<ComponentProps<'button'>, 'disabled' | 'style'> & {
  readonly variant?: 'primary' | 'default' | 'quiet' | 'danger'
  /** Why the button cannot be used now. It can still be focused, so that the reason can be read; a click shows it. */
  readonly unavailable?: string | undefined
}

export function Button({ variant = 'default', unavailable, className, onClick, children, ...rest }: ButtonProps) {
  const reasonId = useId()
  const isUnavailable = unavailable !== undefined
  const [shownReason, setShownReason] = useState<string | null>(null)
  return (
    <>
      <button
        type="button"
        {...rest}
        className={[styles.button, styles[variant], className].filter(Boolean).join(' ')}
        onClick={isUnavailable ? (event) => (event.preventDefault(), setShownReason(unavailable)) : onClick}
        {...(isUnavailable ? { 'aria-disabled': true, 'aria-describedby': reasonId, title: unavailable } : {})}
      >
        {children}
      </button>
      {isUnavailable && (
        <span id={reasonId} className={shownReason === unavailable ? styles.reason : 'visually-hidden'}>
          {unavailable}
        </span>
      )}
    </>
  )
}
