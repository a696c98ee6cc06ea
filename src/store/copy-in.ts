// COPY into a table as a query that can be pipelined: its bytes follow it without a wait for the server.
import pg from 'pg'

// Message types, and the size of the length field, which counts itself: "Message Formats" in the PostgreSQL manual.
const copyData = 0x64
const lengthBytes = 4
const headerBytes = 1 + lengthBytes
const copyDone = Buffer.from([0x63, 0, 0, 0, lengthBytes])

/**
 * Does not wait for the server to ask for the bytes. The server reads them in order, and discards them if the statement has failed. The
 * COPY queries of other packages wait for that request and cannot be sent behind other queries.
 */
export class CopyIn extends pg.Query {
  readonly #statement: string
  #parts: readonly Uint8Array[]

  constructor(statement: string, parts: readonly Uint8Array[], done: (error: Error | undefined) => void) {
    super({ text: statement }, done)
    this.#statement = statement
    this.#parts = parts
  }

  override submit = (connection: pg.Connection): void => {
    const { stream } = connection
    stream.cork()
    connection.query(this.#statement)
    for (const part of this.#parts) {
      const header = Buffer.allocUnsafe(headerBytes)
      header.writeUInt8(copyData, 0)
      header.writeUInt32BE(lengthBytes + part.byteLength, 1)
      stream.write(header)
      stream.write(part)
    }
    stream.write(copyDone)
    stream.uncork()
    // The socket holds the bytes from here on.
    this.#parts = []
  }

  /** Nothing to do: the bytes were sent already. */
  handleCopyInResponse(): void {}
}
