// COPY into a table as a query that nobody has to wait for: its bytes follow it at once.
import pg from 'pg'

// Types of messages and their own length, as the manual's "Message Formats" gives them.
const copyData = 0x64
const lengthBytes = 4
const headerBytes = 1 + lengthBytes
const copyDone = Buffer.from([0x63, 0, 0, 0, lengthBytes])

/**
 * Without waiting for the server to ask for the bytes: it takes them in turn, and drops them where the statement has failed. The driver's
 * queries that other packages make wait for that, and cannot be sent behind others.
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
    // They belong to the socket now.
    this.#parts = []
  }

  /** The bytes are on their way. */
  handleCopyInResponse(): void {}
}
