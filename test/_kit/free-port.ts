// Ports for the servers of tests. No other test is given the port, even while the server on it is down.
import { randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { createServer } from 'node:net'

// Below those that the embedded PostgreSQL draws from, which knows no reservations.
const lowestPort = 10_000
const highestPort = 19_999
const maxDraws = 100

export async function findFreePort(): Promise<number> {
  for (let draws = 0; draws < maxDraws; draws += 1) {
    const port = randomInt(lowestPort, highestPort + 1)
    const reservation = await reserve(port)
    if (reservation === null) continue
    if (await isFree(port)) return port
    reservation.close()
  }
  throw new Error('no free port could be reserved')
}

/** Returns `count` different ports of 127.0.0.1, which stay reserved until this process ends. */
export async function findFreePorts(count: number): Promise<number[]> {
  return await Promise.all(Array.from({ length: count }, findFreePort))
}

/**
 * Returns null if a test has reserved the port. The reservation is a UDP socket with the same number: it does not disturb servers of TCP,
 * and the system releases it when the process ends, however it ends.
 */
function reserve(port: number): Promise<Socket | null> {
  const socket = createSocket('udp4')
  return new Promise((resolve, reject) => {
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close()
      if (error.code === 'EADDRINUSE') resolve(null)
      else reject(error)
    })
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(socket.unref()))
  })
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
