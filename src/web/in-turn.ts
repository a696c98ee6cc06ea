// Handles pipelined requests (which a client sends without waiting for the answers) one after another.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** How many requests of one connection may wait behind the one that is being answered. */
export const maxPipelined = 32

/** How many waiting requests, over all connections, are handled in one turn of the event loop before connections are read again. */
export const mostInLoop = 8

/**
 * Handles one request of a connection at a time. Node would start all requests of a read at once, possibly thousands, and read no other
 * connection meanwhile. All connections share one queue: if each turn of the event loop handled one request of every connection, a client
 * that sends one request at a time would wait for all of them in each of the turns that its request takes. `onTooMany` is called when a
 * connection exceeds `maxPipelined`, and must end the connection.
 */
export function inTurn(handle: Handle, onTooMany: (socket: Socket) => void): Handle {
  const waiting = new WeakMap<Socket, number>()
  const handleLater = openQueue()
  return (request, response) => {
    const { socket } = request
    // Node assigns the socket to a response once the responses before it have been written.
    if (response.socket !== null) return handle(request, response)
    if (socket.destroyed) return
    const count = (waiting.get(socket) ?? 0) + 1
    if (count > maxPipelined) return onTooMany(socket)
    waiting.set(socket, count)
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
      handleLater(() => {
        if (!socket.destroyed) handle(request, response)
      })
    })
  }
}

/**
 * Returns a function that queues calls for later turns of the event loop, a few per turn. Each connection has at most one call in the
 * queue.
 */
function openQueue(): (call: () => void) => void {
  const calls: (() => void)[] = []
  let isDue = false
  function schedule(): void {
    if (isDue || calls.length === 0) return
    isDue = true
    setImmediate(drain)
  }
  function drain(): void {
    isDue = false
    const now = calls.splice(0, mostInLoop)
    schedule()
    for (const call of now) call()
  }
  return (call) => {
    calls.push(call)
    schedule()
  }
}
