// Finds free ports of 127.0.0.1, for servers that are started here and do not support port 0.
import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'

// Below the range of outgoing connections (Linux: from 32768), since one of those could take the port before the server binds it, or while
// the server restarts.
const lowestPort = 20_000
const highestPort = 29_999
const maxAttempts = 100

export async function findFreePort(): Promise<number> {
  const [port] = await findFreePorts(1)
  if (port === undefined) throw new Error('no free port could be found')
  return port
}

/** Returns `count` different ports. Another process may take one before its server binds it. `draw` returns the next port to try. */
export async function findFreePorts(count: number, draw = drawPort): Promise<number[]> {
  const held: { readonly port: number; readonly server: Server }[] = []
  try {
    // All ports are held until the last one is found; otherwise one could be returned twice.
    for (let nth = 0; nth < count; nth += 1) held.push(await holdFreePort(draw))
    return held.map(({ port }) => port)
  } finally {
    await Promise.all(held.map(async ({ server }) => await new Promise<void>((done) => server.close(() => done()))))
  }
}

const drawPort = (): number => randomInt(lowestPort, highestPort + 1)

async function holdFreePort(draw: () => number): Promise<{ port: number; server: Server }> {
  let fault: unknown
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const port = draw()
    const server = createServer()
    try {
      await new Promise<void>((done, fail) => server.once('error', fail).listen(port, '127.0.0.1', done))
      return { port, server }
    } catch (error) {
      fault = error
    }
  }
  throw new Error('no free port could be found', { cause: fault })
}
