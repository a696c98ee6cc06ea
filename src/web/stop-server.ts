// The end of a server: what has arrived is answered, then the port is closed, and what is late is cut off.
import type { Server } from 'node:http'
import { yieldTurn } from '../base/in-slices.ts'

const idleSweepMs = 100
/** Maximum number of connections that wait to be accepted: Node's default, and one that Linux adds. */
const maxWaiting = 512

/** Resolves when all connections are closed. Those that are open at the deadline are cut. */
export async function stopServer(server: Server, deadlineMs: number): Promise<void> {
  const endMs = performance.now() + deadlineMs
  await acceptArrived(server, endMs)
  const cut = setTimeout(() => server.closeAllConnections(), endMs - performance.now())
  // Repeated: an answer that was in progress when the stop began leaves an idle keep-alive connection.
  const sweep = setInterval(() => server.closeIdleConnections(), idleSweepMs)
  await new Promise<void>((done) => {
    server.close(() => done())
    server.closeIdleConnections()
  })
  clearInterval(sweep)
  clearTimeout(cut)
}

/**
 * A process that could not run for a while reads what arrived meanwhile only after its overdue timers, such as the one that stops the server.
 * Closing the port would reset connections that wait to be accepted, and closing the idle ones those with an unread request. Clients may
 * connect all the time, so this ends after as many turns as connections can wait, or at the deadline.
 */
async function acceptArrived(server: Server, endMs: number): Promise<void> {
  let accepted = 0
  const count = (): void => void (accepted += 1)
  server.on('connection', count)
  // Node accepts one connection in a turn. Nothing is read in the first one if an I/O callback called this.
  for (let turn = 0; turn <= maxWaiting && performance.now() < endMs; turn += 1) {
    const before = accepted
    await yieldTurn()
    if (turn > 0 && accepted === before) break
  }
  server.off('connection', count)
}
