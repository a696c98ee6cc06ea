import { type ReactNode, useId } from 'react'
import styles from './settings.module.css'

/** A group of radio buttons, each with an explanation. */
export const Choices = ({ legend, children }: { readonly legend: string; readonly children: ReactNode }) => (
  <fieldset className={styles.choices}>
    <legend>{legend}</legend>
    {children}
  </fieldset>
)

export function Choice({
  name,
  label,
  isChosen,
  isReadOnly = false,
  onChoose,
  children,
}: {
  /** The name that the radio buttons of the group share. */
  readonly name: string
  readonly label: string
  readonly isChosen: boolean
  readonly isReadOnly?: boolean
  readonly onChoose: () => void
  readonly children?: ReactNode
}) {
  const id = useId()
  return (
    <div className={styles.choice}>
      <input
        type="radio"
        id={id}
        name={name}
        checked={isChosen}
        disabled={isReadOnly && !isChosen}
        aria-describedby={children === undefined ? undefined : `${id}-about`}
        onChange={onChoose}
      />
      <div>
        <label htmlFor={id}>
          <strong>{label}</strong>
        </label>
        {children !== undefined && <span id={`${id}-about`}>{children}</span>}
      </div>
    </div>
  )
}
