// Lists with filters, bounded: a request looks at so many rows and for so long, gives what it found, and says where the
// next one goes on. A filter that matches once in a million rows costs no request more than another.
import type { Page } from './page.ts'

/** One look along an index from a place downwards. */
export type Look<Row, Key> = {
  /** What the filters let through, in order; as many as were wanted at most. */
  readonly rows: readonly Row[]
  /** Where the next look goes on; null where the window ended. Of no meaning where all that was wanted was found. */
  readonly next: Key | null
  /** Rows that were looked at, as far as is known. */
  readonly scanned: number
}

export type Scan<Row, Key> = {
  readonly limit: number
  readonly first: Key
  readonly keyOf: (row: Row) => Key
  readonly look: (from: Key, wanted: number, maxScanned: number) => Promise<Look<Row, Key>>
  readonly seal: (key: Key) => string
}

export type ScanBounds = {
  /** Rows of one look. It ends as soon as the page is full. */
  readonly rowsInLook: number
  /** No look begins after so many rows or so many milliseconds. */
  readonly maxScanned: number
  readonly maxMs: number
}

// A row costs 1 to 3 µs where it is cached: a request that finds nothing takes a few tenths of a second.
const usualBounds: ScanBounds = { rowsInLook: 20_000, maxScanned: 200_000, maxMs: 400 }

/**
 * One page of what the filters let through. It is short, or empty, where the bounds were met before it was full; its cursor
 * then goes on behind the last row that was looked at.
 */
export async function scanPage<Row, Key>(scan: Scan<Row, Key>, bounds: ScanBounds = usualBounds): Promise<Page<Row>> {
  const { limit, keyOf, look, seal } = scan
  const startedAtMs = performance.now()
  const found: Row[] = []
  let from = scan.first
  let scanned = 0
  for (;;) {
    const { rows, next, scanned: looked } = await look(from, limit + 1 - found.length, bounds.rowsInLook)
    found.push(...rows)
    const last = found[limit - 1]
    if (found.length > limit && last !== undefined)
      return { rows: found.slice(0, limit), nextCursor: seal(keyOf(last)) }
    if (next === null) return { rows: found, nextCursor: null }
    scanned += looked
    const isSpent = scanned >= bounds.maxScanned || performance.now() - startedAtMs >= bounds.maxMs
    if (found.length === limit || isSpent) return { rows: found, nextCursor: seal(next) }
    from = next
  }
}
