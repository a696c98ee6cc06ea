import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './field.module.css'

type Ids = { readonly id: string; readonly 'aria-describedby': string | undefined; readonly 'aria-invalid': boolean }

/** A form field: a label, a control, a hint and a fault. */
export function Field({
  label,
  hint,
  fault,
  children,
}: {
  readonly label: string
  readonly hint?: string | undefined
  /** What is wrong with the value. */
  readonly fault?: string | null | undefined
  readonly children: (ids: Ids) => ReactNode
}) {
  const id = useId()
  const hasFault = fault != null
  const about = [hint === undefined ? '' : `${id}-hint`, hasFault ? `${id}-fault` : ''].filter(Boolean).join(' ')
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': about === '' ? undefined : about, 'aria-invalid': hasFault })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {hasFault && (
        <p id={`${id}-fault`} role="alert" className={styles.fault}>
          {fault}
        </p>
      )}
    </div>
  )
}

type TextFieldProps = Omit<ComponentProps<'input'>, 'style' | 'id'> & {
  readonly label: string
  readonly hint?: string | undefined
  readonly fault?: string | null | undefined
}

export function TextField({ label, hint, fault, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(ids) => <input className={styles.input} {...rest} {...ids} />}
    </Field>
  )
}
