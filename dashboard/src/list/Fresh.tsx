import { useEffect, useRef } from 'react'
import { usePageWindow } from '../app/page-window.tsx'
import { countOf, formatCount } from '../format/index.ts'
import { Button } from '../ui/index.ts'
import styles from './fresh.module.css'
import type { News } from './use-pinned-list.ts'

type Props = { readonly news: News; readonly isEmpty: boolean; readonly onShow: () => void }

/**
 * A button with the number of rows that have arrived since the list was read. It shows them, since rows must not move while somebody reads
 * them. A list without rows shows them at once, and so does a refresh that the user asks for.
 */
export function Fresh({ news: { count, isLeast }, isEmpty, onShow }: Props) {
  const { refreshes } = usePageWindow()
  const shown = useRef(refreshes)
  useEffect(() => {
    if (shown.current === refreshes && !(isEmpty && count > 0)) return
    shown.current = refreshes
    onShow()
  }, [refreshes, isEmpty, count, onShow])
  if (count === 0 || isEmpty) return null
  return (
    <p className={styles.fresh} role="status">
      <Button onClick={onShow} variant="primary">
        {formatCount(count)}
        {isLeast && ' or more'} new
      </Button>
    </p>
  )
}

/** What the end of a list says once all of its pages are loaded. */
export function describeEnd(rows: number, noun: string, { count, isKnown }: News): string {
  if (!isKnown) return `${countOf(rows, noun)}. Whether there are new ones is not known.`
  return count === 0 ? `${countOf(rows, noun)}, all of this window.` : `${countOf(rows, noun)}, without the new ones.`
}
