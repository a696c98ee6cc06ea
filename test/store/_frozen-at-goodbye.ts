// A PostgreSQL that answers all queries, and freezes when a client says goodbye: it never closes its side.
import { connect, createServer, type Socket } from 'node:net'

export type FrozenAtGoodbye = {
  /** The address of the same database through the frozen server. */
  readonly url: string
  /** The number of connections that clients hold. */
  open(): number
  stop(): Promise<void>
}

// The message "Terminate", which only a client sends.
const terminate = 'X'.charCodeAt(0)
/** An empty NoticeResponse: a client that still reads ignores it, and the system of a client that has closed its socket rejects it. */
const notice = Buffer.from([0x4e, 0, 0, 0, 5, 0])
const noticeMs = 20

export async function openFrozenAtGoodbye(target: string): Promise<FrozenAtGoodbye> {
  const near = new Set<Socket>()
  const far = new Set<Socket>()
  const { hostname, port } = new URL(target)
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const behind = connect(Number(port), hostname)
    near.add(client)
    far.add(behind)
    for (const socket of [client, behind]) socket.on('error', () => undefined)
    let knocking: NodeJS.Timeout | undefined
    client.on('close', () => {
      near.delete(client)
      clearInterval(knocking)
    })
    client.on('data', (bytes) => {
      if (bytes[0] === terminate) knocking = setInterval(() => client.write(notice), noticeMs)
      else behind.write(bytes)
    })
    behind.on('data', (bytes) => client.write(bytes))
  })
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done))
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as { port: number }).port)
  return {
    url: url.href,
    open: () => near.size,
    async stop() {
      for (const socket of [...near, ...far]) socket.destroy()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}
