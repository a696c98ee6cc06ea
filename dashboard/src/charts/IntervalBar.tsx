// An interval compared with a mark: how wide it is, and on which side of the mark it lies. It shows no point that could be taken for the
// value.
import styles from './bars.module.css'
import { compareInterval, type Interval, type Scale, type Side } from './interval.ts'
import { place } from './paths.ts'

type Props = Interval & {
  /** The floor that the interval must exceed, or the zero of a difference. */
  readonly mark: number
  readonly scale: Scale
  /** The side that is good; null: neither is. */
  readonly good?: 'above' | 'below' | null
  /** Writes the ends of the scale beside the bar. Absent: the scale is symmetric, and its ends say nothing. */
  readonly formatEnd?: (value: number) => string
  /** The same in words: `At least 96.1 % right; 95 % are required`. */
  readonly text: string
}

const signs: Readonly<Record<Side, string>> = { above: '+', below: '\u2212', across: '' }

export function IntervalBar({ lower, upper, mark, scale: { least, most }, good = 'above', formatEnd, text }: Props) {
  const side = compareInterval({ lower, upper }, mark)
  const tone = side === 'across' || good === null ? 'across' : side === good ? 'above' : 'below'
  const at = (value: number): number => place(value, least, most)
  const [from, to, markAt] = [at(lower), at(upper), `${at(mark)}%`]
  return (
    <span className={styles.interval} role="img" aria-label={text} title={text}>
      {formatEnd !== undefined && <span>{formatEnd(least)}</span>}
      <svg className={styles[tone]} width="100%" height="18" aria-hidden="true">
        <line className={styles.axis} x1="0" x2="100%" y1="9" y2="9" />
        <rect x={`${from}%`} width={`${Math.max(0, to - from)}%`} y="6" height="6" />
        {/* An end that lies beyond the scale has no stroke. */}
        {lower >= least && <line className={styles.end} x1={`${from}%`} x2={`${from}%`} y1="3" y2="15" />}
        {upper <= most && <line className={styles.end} x1={`${to}%`} x2={`${to}%`} y1="3" y2="15" />}
        <line className={styles.mark} x1={markAt} x2={markAt} y1="0" y2="18" />
      </svg>
      {formatEnd !== undefined && <span>{formatEnd(most)}</span>}
      <b className={styles[tone]}>{signs[side]}</b>
    </span>
  )
}
