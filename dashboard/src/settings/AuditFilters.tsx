import { type ReactNode, useId } from 'react'
import type { Schemas } from '../api/client.ts'
import { presets } from '../window/presets.ts'
import type { AuditSearch } from './audit-search.ts'
import { auditActions } from './audit-words.ts'
import { mostMembers } from './org-queries.ts'
import styles from './settings.module.css'

type Props = {
  readonly wanted: AuditSearch
  /** Undefined until they are loaded. */
  readonly members: readonly Schemas['Member'][] | undefined
  readonly onChange: (changes: Readonly<Record<string, string | null>>) => void
  /** Follows the filters. */
  readonly children: ReactNode
}

export function AuditFilters({ wanted: { actor, action, window }, members, onChange, children }: Props) {
  const isListed = actor === undefined || members?.some(({ user_id: id }) => id === actor)
  const areAll = members !== undefined && members.length < mostMembers
  return (
    <search className={styles.row}>
      <Choice label="Person" value={actor} onChange={(value) => onChange({ actor: value })}>
        <option value="">Everybody</option>
        {members?.map(({ user_id: id, email }) => (
          <option key={id} value={id}>
            {email}
          </option>
        ))}
        {!isListed && <option value={actor}>{areAll ? 'Former member' : 'The chosen person'}</option>}
      </Choice>
      <Choice label="Action" value={action} onChange={(value) => onChange({ action: value })}>
        <option value="">All actions</option>
        {Object.entries(auditActions).map(([id, words]) => (
          <option key={id} value={id}>
            {words}
          </option>
        ))}
      </Choice>
      <Choice
        label="Time"
        value={window === null ? '' : (window.preset ?? fixed)}
        onChange={(value) => onChange({ range: value, from_time: null, to_time: null })}
      >
        <option value="">All entries</option>
        {presets.map(({ range, label }) => (
          <option key={range} value={range}>
            {label}
          </option>
        ))}
        {window?.preset === null && <option value={fixed}>The window of the URL</option>}
      </Choice>
      {children}
    </search>
  )
}

/** The option for a window that is not a preset. Choosing it changes nothing. */
const fixed = 'fixed'

type ChoiceProps = {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (value: string | null) => void
  readonly children: ReactNode
}

function Choice({ label, value = '', onChange, children }: ChoiceProps) {
  const id = useId()
  return (
    <div className={styles.filter}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className={styles.select}
        value={value}
        onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
      >
        {children}
      </select>
    </div>
  )
}
