// The rows of a query by binary COPY, one by one as they come. Any other way the driver has bytes sent as text twice as long,
// and turning that back takes longer than all that is done with them.
import pg from 'pg'
import { guard } from '../store/ask.ts'
import type { CopyConnection } from '../store/database.ts'

/** A row: its fields are read one after the other, in the order of the query's columns. */
export type CopiedRow = { readonly bytes: Buffer; at: number }

/** Null where the field is. Good until the row has been taken: the driver needs its memory again. */
export function readBytes(row: CopiedRow): Buffer | null {
  const length = row.bytes.readInt32BE(row.at)
  const from = row.at + 4
  row.at = from + Math.max(0, length)
  return length < 0 ? null : row.bytes.subarray(from, row.at)
}

export function readText(row: CopiedRow): string | null {
  const length = row.bytes.readInt32BE(row.at)
  const from = row.at + 4
  row.at = from + Math.max(0, length)
  return length < 0 ? null : row.bytes.toString('utf8', from, row.at)
}

/** Of a double precision. */
export function readDouble(row: CopiedRow): number | null {
  const isNull = row.bytes.readInt32BE(row.at) < 0
  const from = row.at + 4
  row.at = isNull ? from : from + 8
  return isNull ? null : row.bytes.readDoubleBE(from)
}

/** Of a number of a transaction that is never null. */
export function readXid(row: CopiedRow): number {
  row.at += 8
  return row.bytes.readUInt32BE(row.at - 4)
}

/** Of a column that is never null. */
export function readBoolean(row: CopiedRow): boolean {
  row.at += 5
  return row.bytes[row.at - 1] === 1
}

// PostgreSQL counts from the year 2000.
const epochUs = Date.UTC(2000, 0, 1) * 1_000

/** Of a time that is never null: Unix microseconds. */
export function readTimeUs(row: CopiedRow): number {
  const from = row.at + 4
  row.at = from + 8
  return row.bytes.readInt32BE(from) * 2 ** 32 + row.bytes.readUInt32BE(from + 4) + epochUs
}

/** Of a column that is never null. */
export function told<T>(value: T | null): T {
  if (value === null) throw new Error('a field that must not be null is null')
  return value
}

// Signature, flags and an empty header extension, as the manual's "Binary Format" gives them; a count of -1 ends the rows.
const headerBytes = 19

type Handlers = {
  /** Bytes of a row, or of what stands before the first and behind the last. */
  readonly onData: (bytes: Buffer) => void
  /** A statement of the text has ended. */
  readonly onCommand: () => void
  readonly onEnd: (error: Error | null) => void
}

/** A text of several statements whose rows come as bytes. */
class CopyOut extends pg.Query {
  readonly #handlers: Handlers
  readonly query_timeout: number
  /** Ends the driver's own wait. */
  callback?: () => void

  constructor(text: string, queryTimeoutMs: number, handlers: Handlers) {
    super({ text })
    this.query_timeout = queryTimeoutMs
    this.#handlers = handlers
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    this.#handlers.onData(chunk)
  }

  handleCommandComplete(): void {
    this.#handlers.onCommand()
  }

  handleReadyForQuery(): void {
    this.callback?.()
    this.#handlers.onEnd(null)
  }

  handleError(error: Error): void {
    this.callback?.()
    this.#handlers.onEnd(error)
  }
}

/** A query without parameters, and what takes each of its rows. */
export type Copy = { readonly query: string; readonly take: (row: CopiedRow) => void }

/**
 * Runs the queries one after the other in one round trip, and gives each row while others are still on their way. Where a row is not
 * taken but something thrown, the rest is received and dropped: a connection that is left in the middle of a COPY is good for
 * nothing. Throws Outage.
 */
export async function copyOut({ client, queryTimeoutMs }: CopyConnection, copies: readonly Copy[]): Promise<void> {
  if (copies.length === 0) return
  let failure: Error | null = null
  let nth = 0
  let isFirst = true
  const receive = (bytes: Buffer): void => {
    const at = isFirst ? headerBytes : 0
    isFirst = false
    // A message has one row, or else the end.
    if (failure !== null || at === bytes.length || bytes.readInt16BE(at) === -1) return
    try {
      copies[nth]?.take({ bytes, at: at + 2 })
    } catch (error) {
      failure = error instanceof Error ? error : new Error('reading a row failed', { cause: error })
    }
  }
  const text = copies.map(({ query }) => `copy (${query}) to stdout (format binary)`).join(';\n')
  await guard(
    () =>
      new Promise<void>((done, fail) => {
        client.query(
          new CopyOut(text, queryTimeoutMs, {
            onData: receive,
            onCommand: () => {
              nth += 1
              isFirst = true
            },
            onEnd: (error) => (error === null ? done() : fail(error)),
          }),
        )
      }),
  )
  // As it was thrown: it is no failure of the database.
  if (failure !== null) throw failure
}
