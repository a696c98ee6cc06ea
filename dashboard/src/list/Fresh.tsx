import { formatCount } from '../format/index.ts'
import { Button } from '../ui/index.ts'
import styles from './fresh.module.css'
import type { News } from './use-pinned-list.ts'

/** A button with the number of rows that have arrived since the list was read. It shows them. */
export function Fresh({ news: { count, isLeast }, onShow }: { readonly news: News; readonly onShow: () => void }) {
  if (count === 0) return null
  return (
    <p className={styles.fresh} role="status">
      <Button onClick={onShow} variant="primary">
        {formatCount(count)}
        {isLeast && ' or more'} new
      </Button>
    </p>
  )
}
