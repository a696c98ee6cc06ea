// Scans lists with filters within limits: a request scans a limited number of rows for a limited time, then returns what it found and a
// cursor. So a filter that matches one row in a million costs no request more than others.
import type { Page } from './page.ts'

/** The result of one scan step along an index, downwards from a position. */
export type ScanStep<Row, Key> = {
  /** The rows that pass the filters, in order, at most as many as wanted. */
  readonly rows: readonly Row[]
  /** Where the next step begins; null: the window ended. Meaningless if all wanted rows were found. */
  readonly next: Key | null
  /** Number of rows scanned, as far as known. */
  readonly scanned: number
}

export type Scan<Row, Key> = {
  readonly limit: number
  readonly first: Key
  readonly keyOf: (row: Row) => Key
  readonly look: (from: Key, wanted: number, maxScanned: number) => Promise<ScanStep<Row, Key>>
  readonly seal: (key: Key) => string
}

export type ScanBounds = {
  /** Limit of rows in one step, which ends as soon as the page is full. */
  readonly rowsPerStep: number
  /** No step begins after this many rows or milliseconds. */
  readonly maxScanned: number
  readonly maxMs: number
}

// A cached row costs 1 to 3 µs, so a request that finds nothing takes a few tenths of a second.
const usualBounds: ScanBounds = { rowsPerStep: 20_000, maxScanned: 200_000, maxMs: 400 }

/**
 * Returns one page of the rows that pass the filters. If a limit is reached before the page is full, the page is short or empty, and its
 * cursor continues after the last scanned row.
 */
export async function scanPage<Row, Key>(scan: Scan<Row, Key>, bounds: ScanBounds = usualBounds): Promise<Page<Row>> {
  const { limit, keyOf, look, seal } = scan
  const startedAtMs = performance.now()
  const found: Row[] = []
  let from = scan.first
  let scanned = 0
  for (;;) {
    const { rows, next, scanned: looked } = await look(from, limit + 1 - found.length, bounds.rowsPerStep)
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
