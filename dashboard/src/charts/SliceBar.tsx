// A bar divided into the parts of a whole. Its legend has the numbers, and a link for each part.
import { formatCount, formatShare } from '../format/index.ts'
import styles from './bars.module.css'
import { slice } from './paths.ts'

export type BarPart = {
  readonly key: string
  readonly label: string
  readonly value: number
  /** A custom property, such as `--good`. */
  readonly colour: string
  /** The link to the section of the page that explains this part. */
  readonly href: string
}

type Props = { readonly label: string; readonly parts: readonly BarPart[] }

export function SliceBar({ label, parts }: Props) {
  const whole = parts.reduce((sum, { value }) => sum + value, 0)
  return (
    <div className={styles.slices}>
      <div className={styles.sliceBar} aria-hidden="true">
        {slice(parts.filter(({ value }) => value > 0)).map(({ key, percent, colour }) => (
          <span key={key} style={{ width: `${percent}%`, background: `var(${colour})` }} />
        ))}
      </div>
      <ul aria-label={label}>
        {parts.map(({ key, label: name, value, colour, href }) => (
          <li key={key}>
            <span className={styles.dot} style={{ background: `var(${colour})` }} aria-hidden="true" />
            <a href={href}>{name}</a> <b>{formatCount(value)}</b> <span>{formatShare(value, whole)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
