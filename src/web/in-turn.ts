// Floor 2. Requests that a client sends without waiting for the answers: handled one after another.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** How many requests of one connection may wait behind the one that is being answered. */
export const maxPipelined = 32

/**
 * Handles one request of a connection at a time. Node would start all that a read contains at once, thousands of them, and no other
 * connection is read meanwhile. `onTooMany` is told once of a connection with more than may wait, which it has to end.
 */
export function inTurn(handle: Handle, onTooMany: (socket: Socket) => void): Handle {
  const waiting = new WeakMap<Socket, number>()
  return (request, response) => {
    const { socket } = request
    // Node gives a response its socket when those before it have been written.
    if (response.socket !== null) return handle(request, response)
    if (socket.destroyed) return
    const count = (waiting.get(socket) ?? 0) + 1
    if (count > maxPipelined) return onTooMany(socket)
    waiting.set(socket, count)
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
      // The other connections have their turn first.
      setImmediate(() => {
        if (!socket.destroyed) handle(request, response)
      })
    })
  }
}
