// Answers to requests that Node could not parse, in the same form as all other refusals.
import { randomUUID } from 'node:crypto'
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { securityHeaders } from './security-headers.ts'

type Refused = { readonly status: number; readonly detail: string }

const malformed: Refused = { status: 400, detail: 'The request is not valid HTTP' }

/** The statuses that Node uses, by error code. */
const refusedBy = (maxHeaderBytes: number): Readonly<Record<string, Refused>> => ({
  HPE_HEADER_OVERFLOW: { status: 431, detail: `The URL and the headers are larger than ${maxHeaderBytes} bytes` },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, detail: 'The chunk extensions of the body are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'The request did not arrive in time' },
})

export type ClientErrorReport = { readonly status: number; readonly requestId: string }

/**
 * Returns a listener for `clientError`. It ends the connection, as Node does without a listener: the next request cannot be told apart from
 * the broken one. It writes nothing into an answer that has begun. The client's request id is unknown, so the answer has a new one.
 */
export function makeClientErrorListener(
  maxHeaderBytes: number,
  onAnswered: (report: ClientErrorReport) => void,
): (error: { readonly code?: string }, socket: Duplex) => void {
  const refused = refusedBy(maxHeaderBytes)
  return (error, socket) => {
    // Node's own listener reads the same property. It has no public name.
    const { _httpMessage: current } = socket as Duplex & { readonly _httpMessage?: ServerResponse | null }
    if (socket.writable && error.code !== 'ECONNRESET' && current?.headersSent !== true) {
      const { status, detail } = refused[error.code ?? ''] ?? malformed
      const requestId = randomUUID()
      socket.write(writeAnswer(status, detail, requestId))
      onAnswered({ status, requestId })
    }
    socket.destroy()
  }
}

function writeAnswer(status: number, detail: string, requestId: string): string {
  const body = JSON.stringify({ detail })
  const headers = {
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'x-request-id': requestId,
    ...securityHeaders,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`
}
