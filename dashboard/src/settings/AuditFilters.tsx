import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { useFilterKey } from '../app/shortcuts/use-filter-key.ts'
import { SelectField } from '../ui/index.ts'
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
  const bar = useFilterKey()
  return (
    <search ref={bar} className={`${styles.row} ${styles.filters}`}>
      <SelectField label="Person" any="Everybody" value={actor} onChange={(value) => onChange({ actor: value })}>
        {members?.map(({ user_id: id, email }) => (
          <option key={id} value={id}>
            {email}
          </option>
        ))}
        {!isListed && <option value={actor}>{areAll ? 'Former member' : 'The chosen person'}</option>}
      </SelectField>
      <SelectField label="Action" any="All actions" value={action} onChange={(value) => onChange({ action: value })}>
        {Object.entries(auditActions).map(([id, words]) => (
          <option key={id} value={id}>
            {words}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Time"
        any="All entries"
        value={window === null ? undefined : (window.preset ?? fixed)}
        onChange={(value) => onChange({ range: value, from_time: null, to_time: null })}
      >
        {presets.map(({ range, label }) => (
          <option key={range} value={range}>
            {label}
          </option>
        ))}
        {window?.preset === null && <option value={fixed}>The window of the URL</option>}
      </SelectField>
      {children}
    </search>
  )
}

/** The option for a window that is not a preset. Choosing it changes nothing. */
const fixed = 'fixed'
