// Reads nested messages of the protobuf wire format.
import { type Cursor, openCursor, readLength, readTag, skipField } from './wire.ts'

/** Narrows the cursor to the nested message whose tag was just read. Returns the end of the outer message, for `leave`. */
export function enter(cursor: Cursor): number {
  const outerEnd = cursor.end
  cursor.end = readLength(cursor) + cursor.pos
  return outerEnd
}

/** Moves the cursor behind the nested message, however much of it was read. */
export function leave(cursor: Cursor, outerEnd: number): void {
  cursor.pos = cursor.end
  cursor.end = outerEnd
}

/** Calls `read` on the nested message whose tag was just read, then moves behind it, however much of it was read. */
export function within<T>(cursor: Cursor, read: (inner: Cursor) => T): T {
  const outerEnd = cursor.end
  const end = readLength(cursor) + cursor.pos
  cursor.end = end
  const value = read(cursor)
  cursor.pos = end
  cursor.end = outerEnd
  return value
}

/** Moves behind the tag of the next field with this tag in the cursor's message. Returns false, at the end, if there is none. */
export function seek(cursor: Cursor, tag: number): boolean {
  while (cursor.pos < cursor.end) {
    const found = readTag(cursor)
    if (found === tag) return true
    skipField(cursor, found)
  }
  return false
}

/** Visits each nested message with this tag in the rest of the cursor's message, and skips all other fields. */
export function eachMessage(cursor: Cursor, tag: number, visit: (inner: Cursor) => void): void {
  while (seek(cursor, tag)) within(cursor, visit)
}

/**
 * Returns a cursor over a message field that is not declared as repeated, wherever it is in the cursor's message. Repeated occurrences are
 * concatenated, which is how protobuf defines their merge. Null if the field is absent. The position of `cursor` does not change.
 */
export function findMessage(cursor: Cursor, tag: number): Cursor | null {
  const start = cursor.pos
  let count = 0
  let total = 0
  let first: Cursor | null = null
  while (seek(cursor, tag)) {
    const length = readLength(cursor)
    first ??= { ...cursor, end: cursor.pos + length }
    count++
    total += length
    cursor.pos += length
  }
  cursor.pos = start
  if (count < 2) return first
  const joined = openCursor(Buffer.allocUnsafe(total))
  let filled = 0
  while (seek(cursor, tag)) {
    const length = readLength(cursor)
    filled += cursor.bytes.copy(joined.bytes, filled, cursor.pos, cursor.pos + length)
    cursor.pos += length
  }
  cursor.pos = start
  return joined
}
