// Requests that a client sends without waiting for the answers: handled one after another.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** How many requests of one connection may wait behind the one that is being answered. */
export const maxPipelined = 32

/** How many of those that waited, of all connections together, are handled before the connections are read again. */
export const mostInLoop = 8

/**
 * Handles one request of a connection at a time. Node would start all that a read contains at once, thousands of them, and no other
 * connection is read meanwhile. Those of many connections share a queue: with one of each in every turn of the event loop, whoever sends
 * one request at a time would wait for all of them in each of the turns that it takes. `onTooMany` is told once of a connection with
 * more than may wait, which it has to end.
 */
export function inTurn(handle: Handle, onTooMany: (socket: Socket) => void): Handle {
  const waiting = new WeakMap<Socket, number>()
  const handleLater = openQueue()
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
      handleLater(() => {
        if (!socket.destroyed) handle(request, response)
      })
    })
  }
}

/** Calls what it is given in later turns of the event loop, a few in each. A connection has one place in it at most. */
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
