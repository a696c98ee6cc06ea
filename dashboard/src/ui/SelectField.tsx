import { type ReactNode, useId } from 'react'
import styles from './field.module.css'

type Props = {
  readonly label: string
  readonly value: string | undefined
  /** Called with null for the option that stands for no choice. */
  readonly onChange: (value: string | null) => void
  /** The text of the option that stands for no choice. Without it, there is none. */
  readonly any?: string
  /** The values, if they come with the data. A value that is not among them, as from an old link, is added as it is. */
  readonly known?: readonly string[] | undefined
  /** The option elements. */
  readonly children: ReactNode
}

/** A field with a few values to choose from. */
export function SelectField({ label, value, onChange, any, known, children }: Props) {
  const id = useId()
  const isStrange = value !== undefined && known?.includes(value) === false
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className={styles.input}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
      >
        {any !== undefined && <option value="">{any}</option>}
        {isStrange && <option value={value}>{value}</option>}
        {children}
      </select>
    </div>
  )
}
