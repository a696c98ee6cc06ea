// The field for the zone in which the page shows all times.
import { useId } from 'react'
import { listZones, nameZone, renameZone } from '../format/index.ts'
import styles from './range-picker.module.css'

type Props = {
  /** Null: the zone of the browser. */
  readonly chosen: string | null
  readonly onChange: (zone: string | null) => void
}

const localValue = 'local'

export function ZoneSelect({ chosen, onChange }: Props) {
  const id = useId()
  const local = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <div className={styles.field}>
      <label htmlFor={id}>Time zone</label>
      <select
        id={id}
        className={styles.input}
        value={chosen === null ? localValue : renameZone(chosen)}
        onChange={({ target }) => onChange(target.value === localValue ? null : target.value)}
      >
        <option value={localValue}>Local: {nameZone(local, Date.now())}</option>
        <option value="UTC">UTC</option>
        <optgroup label="Zones">
          {listZones().map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </optgroup>
      </select>
    </div>
  )
}
