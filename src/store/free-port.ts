// Floor 2. Ports of 127.0.0.1 that nobody listens on: for servers that are started here and take no port 0.
import { createServer } from 'node:net'

export async function findFreePort(): Promise<number> {
  const [port] = await findFreePorts(1)
  if (port === undefined) throw new Error('no free port could be found')
  return port
}

/** No two are the same. Another process may take one before its server does. */
export async function findFreePorts(count: number): Promise<number[]> {
  // All open at once, or one of them could be given twice.
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done))
      return server
    }),
  )
  const ports = servers.map((server) => {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no free port could be found')
    return address.port
  })
  await Promise.all(servers.map((server) => new Promise<void>((done) => server.close(() => done()))))
  return ports
}
