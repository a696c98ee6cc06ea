// Starts a server on an address of this machine.
import type { Server } from 'node:net'

/** Returns the port, which the system picks if `port` is 0. Throws an error that says what to do if the server cannot listen. */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  try {
    await new Promise<void>((done, fail) => server.once('error', fail).listen(port, host, done))
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException
    throw new Error(`cannot listen on port ${port} of ${host} (${code}): ${advise(code)}`, { cause })
  }
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

const portSettings = 'TRACEWRIGHT_PORT or TRACEWRIGHT_METRICS_PORT'

function advise(code: string): string {
  if (code === 'EADDRINUSE') return `stop the other program on this port, or set ${portSettings} to another port`
  if (code === 'EACCES') return `set ${portSettings} to a port that the user of the service may use, from 1024 on`
  return 'set TRACEWRIGHT_HOST to an address of this machine, or to 0.0.0.0 for all of them'
}
