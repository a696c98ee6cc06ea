// Reads the rows of a query by binary COPY, one by one as they arrive. Otherwise the server sends bytes to the driver as text of twice the
// length, and decoding that takes longer than all further work on them.
import pg from 'pg'
import { ask, guard, type OnDone } from './ask.ts'

/** A row. Its fields must be read one after the other, in the order of the query's columns. */
export type CopiedRow = { readonly bytes: Buffer; at: number }

/** Null if the field is null. The bytes are valid until the row has been taken: the driver reuses the memory. */
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

/** Reads a double precision. */
export function readDouble(row: CopiedRow): number | null {
  const isNull = row.bytes.readInt32BE(row.at) < 0
  const from = row.at + 4
  row.at = isNull ? from : from + 8
  return isNull ? null : row.bytes.readDoubleBE(from)
}

/** Reads a transaction id that is never null. */
export function readXid(row: CopiedRow): number {
  row.at += 8
  return row.bytes.readUInt32BE(row.at - 4)
}

/** Reads a boolean that is never null. */
export function readBoolean(row: CopiedRow): boolean {
  row.at += 5
  return row.bytes[row.at - 1] === 1
}

// PostgreSQL counts time from the year 2000.
const epochUs = Date.UTC(2000, 0, 1) * 1_000

/** Reads a timestamp that is never null, in Unix microseconds. */
export function readTimeUs(row: CopiedRow): number {
  const from = row.at + 4
  row.at = from + 8
  return row.bytes.readInt32BE(from) * 2 ** 32 + row.bytes.readUInt32BE(from + 4) + epochUs
}

/** For a field that is never null: throws if it is. */
export function required<T>(value: T | null): T {
  if (value === null) throw new Error('a field that must not be null is null')
  return value
}

// Signature, flags and an empty header extension, from "Binary Format" in the PostgreSQL manual. A field count of -1 ends the rows.
const headerBytes = 19

/** A query without parameters, and the function that takes each of its rows. */
export type Copy = { readonly query: string; readonly take: (row: CopiedRow) => void }

type Handlers = {
  /** Bytes of a row, or of the header or trailer of the output. */
  readonly onData: (bytes: Buffer) => void
  /** One statement of the text has ended. */
  readonly onCommand: () => void
}

/** Several statements in one text, whose rows arrive as bytes. */
class CopyOut extends pg.Query {
  readonly #handlers: Handlers

  constructor(text: string, handlers: Handlers, done: (error: Error | undefined) => void) {
    super({ text }, done)
    this.#handlers = handlers
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    this.#handlers.onData(chunk)
  }

  handleCommandComplete(): void {
    this.#handlers.onCommand()
  }
}

/**
 * Runs the queries one after the other in one round trip, and passes each row on while later ones are still arriving. If `take` throws, the
 * remaining rows are received and dropped, since a connection that is left in the middle of a COPY is unusable; then throws that error.
 * Throws Outage; after `timeoutMs` without the last row, the connection is broken.
 */
export async function copyOut(
  client: Pick<pg.Client, 'connection' | 'query'>,
  timeoutMs: number,
  copies: readonly Copy[],
): Promise<void> {
  if (copies.length === 0) return
  let failure: Error | null = null
  let nth = 0
  let isFirst = true
  const receive = (bytes: Buffer): void => {
    const at = isFirst ? headerBytes : 0
    isFirst = false
    // A message contains one row or the trailer.
    if (failure !== null || at === bytes.length || bytes.readInt16BE(at) === -1) return
    try {
      copies[nth]?.take({ bytes, at: at + 2 })
    } catch (error) {
      failure = error instanceof Error ? error : new Error('reading a row failed', { cause: error })
    }
  }
  const onCommand = (): void => {
    nth += 1
    isFirst = true
  }
  const text = copies.map(({ query }) => `copy (${query}) to stdout (format binary)`).join(';\n')
  const send = (done: OnDone<undefined>): void =>
    void client.query(new CopyOut(text, { onData: receive, onCommand }, (error) => done(error ?? null)))
  await guard(async () => await ask(client, timeoutMs, send))
  // Thrown unchanged: it is no failure of the database.
  if (failure !== null) throw failure
}
