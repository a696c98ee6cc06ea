// Ports for the servers of tests. No other test is given the port, even while the server on it is down.
import { createSocket } from 'node:dgram'
import { findFreePorts as findPorts } from '../../src/store/free-port.ts'

const maxDraws = 100

export async function findFreePort(): Promise<number> {
  const [port = 0] = await findFreePorts(1)
  return port
}

/** Returns `count` different ports of 127.0.0.1, which stay reserved until this process ends. */
export async function findFreePorts(count: number): Promise<number[]> {
  const reserved: number[] = []
  for (let draws = 0; reserved.length < count; draws += 1) {
    if (draws === maxDraws * count) throw new Error('no free port could be reserved')
    for (const port of await findPorts(count - reserved.length)) if (await reserve(port)) reserved.push(port)
  }
  return reserved
}

/**
 * Returns false if a test has reserved the port. The reservation is a UDP socket with the same number: TCP servers are not disturbed by it,
 * and the system releases it when the process ends, however it ends.
 */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4')
  return await new Promise((resolve, reject) => {
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close()
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref()
      resolve(true)
    })
  })
}
