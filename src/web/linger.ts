// The end of a connection whose client is still sending. A socket that is closed with bytes unread is reset, and a client that is told
// so while it sends may never read the answer: it takes a refusal for a broken connection, and sends the same again.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** How long what a client still sends is read, for nothing. */
const lingerMs = 5_000

/**
 * Call it with each connection: where it ends with an answer, it ends when the request is complete, or some seconds after the answer. `current`:
 * the request whose body is being read.
 */
export function lingerBehind(socket: Socket, current: () => IncomingMessage | null): void {
  const endSoon = socket.destroySoon.bind(socket)
  // What node:http calls when an answer that ends its connection has been handed over.
  socket.destroySoon = () => {
    const request = current()
    if (request === null || request.complete || socket.destroyed) endSoon()
    else linger(socket, request)
  }
}

function linger(socket: Socket, request: IncomingMessage): void {
  socket.end()
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
  request.once('end', () => socket.destroy())
  // Flows also once whoever read it has let go.
  request.on('data', () => undefined)
}
