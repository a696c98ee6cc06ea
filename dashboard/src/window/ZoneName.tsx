import { formatOffset, nameZone } from '../format/index.ts'
import styles from './zone-name.module.css'

type Props = {
  /** The IANA name of the page's zone. */
  readonly zone: string
  /** The instant whose offset is shown. */
  readonly atMs: number
}

/** The zone of the times of a page: `Shanghai, UTC+8`. A narrow screen shows the offset alone. */
export function ZoneName({ zone, atMs }: Props) {
  const offset = formatOffset(atMs, zone)
  return (
    <span className={styles.zone} title="The time zone of this page">
      <span className={styles.city}>{nameZone(zone, atMs).slice(0, -offset.length)}</span>
      {offset}
    </span>
  )
}
