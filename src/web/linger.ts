// Ends a connection whose client is still sending. Closing a socket with unread bytes resets it, and a client that is reset while it sends
// may never read the answer: it takes a refusal for a broken connection, and sends the request again.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** How long the rest of a request is read and discarded. */
export const lingerMs = 5_000

/**
 * Call it with each connection. When an answer ends the connection, the socket is closed only after the request is complete, or some
 * seconds after the answer. `current` returns the request whose body is being read.
 */
export function lingerBehind(socket: Socket, current: () => IncomingMessage | null): void {
  const endSoon = socket.destroySoon.bind(socket)
  // node:http calls this function when an answer that ends its connection has been handed over.
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
  // The previous reader has stopped, and may have paused the request: then a listener alone would receive nothing.
  request.on('data', () => undefined).resume()
}
