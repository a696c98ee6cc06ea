// Paging over a window: the first page resolves the window and pins it; later pages take it from their cursor.
import { type Outcome, ok, refuse } from '../base/outcome.ts'
import type { CursorScope, Cursors, CursorValue } from '../web/page.ts'
import { type ExactWindow, type GivenWindow, resolveExact } from './window.ts'

export type Page<Row> = { readonly rows: readonly Row[]; readonly nextCursor: string | null }

export type Paging<Key extends CursorValue> = {
  readonly window: ExactWindow
  /** The last row of the previous page; null on the first page. */
  readonly key: Key | null
  /** Returns the cursor of the page that begins after this row. */
  readonly seal: (key: Key) => string
}

type Pinned<Key extends CursorValue> = { fromUs: number; toUs: number; key: Key }

/**
 * Starts a paging, or continues the one that the cursor pins. A window that is given with a cursor must equal the pinned one;
 * it may be omitted.
 */
export function continuePaging<Key extends CursorValue>(
  cursors: Cursors,
  scope: CursorScope,
  given: { readonly window: GivenWindow; readonly cursor: string | undefined },
  nowMs: number,
): Outcome<Paging<Key>, 'cursor_invalid'> {
  if (given.cursor === undefined) {
    return ok(makePaging<Key>(cursors, scope, resolveExact(given.window, nowMs), null, nowMs))
  }
  const opened = cursors.open<Pinned<Key>>(scope, given.cursor)
  if (!opened.ok) return opened
  const { fromUs, toUs, key } = opened.value.state
  const { from_time: givenFromUs = fromUs, to_time: givenToUs = toUs } = given.window
  if (givenFromUs !== fromUs || givenToUs !== toUs) return refuse('cursor_invalid')
  return ok(makePaging(cursors, scope, { fromUs, toUs }, key, opened.value.firstReadMs))
}

function makePaging<Key extends CursorValue>(
  cursors: Cursors,
  scope: CursorScope,
  window: ExactWindow,
  key: Key | null,
  firstReadMs: number,
): Paging<Key> {
  const pin = (next: Key): Pinned<Key> => ({ ...window, key: next })
  return { window, key, seal: (next) => cursors.seal(scope, pin(next), firstReadMs) }
}

/** Returns a page of at most `limit` rows. One row beyond `limit` shows that another page follows. */
export function cutPage<Row>(rows: readonly Row[], limit: number, seal: (last: Row) => string): Page<Row> {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, nextCursor: rows.length <= limit || last === undefined ? null : seal(last) }
}
