// A server reached by way of a proxy, so that a test can take it away from those who use it and give it back.
import { createServer, connect as open, type Socket } from 'node:net'

export type TcpProxy = {
  /** The URL with the proxy's address in it. */
  readonly url: string
  /** Ends every connection and refuses new ones. */
  cut(): void
  restore(): void
  stop(): Promise<void>
}

/** Of the server that this URL names. */
export async function openTcpProxy(targetUrl: string): Promise<TcpProxy> {
  const target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // Whoever is cut off finds out by itself.
    socket.on('error', () => undefined)
  }
  const server = createServer((near) => {
    keep(near)
    if (isCut) return near.resetAndDestroy()
    const far = open(Number(target.port), target.hostname)
    keep(far)
    near.pipe(far).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = new URL(targetUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as { port: number }).port)
  const end = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    cut() {
      isCut = true
      end()
    },
    restore() {
      isCut = false
    },
    async stop() {
      end()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}
