// A proxy between a client and PostgreSQL that counts round trips and can stop in the middle of a message.
import { connect, createServer, type Socket } from 'node:net'

export type Link = {
  /** Returns the URL of a database by way of the link. */
  url(databaseUrl: string): string
  /** Returns how many times clients have sent data after an answer or at the start. */
  roundTrips(): number
  /**
   * Holds all that a client sends, on every connection, from the first occurrence of this text on a connection with this
   * `application_name`, as if the client had been suspended while it wrote.
   */
  holdFrom(text: string, applicationName: string): void
  /** Returns whether data is held. */
  isHolding(): boolean
  /** Forwards the held data and what was sent after it. */
  release(): void
  stop(): Promise<void>
}

export async function openLink(targetUrl: string): Promise<Link> {
  const target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  let roundTrips = 0
  let heldFrom: { readonly text: string; readonly applicationName: string } | null = null
  const held: (() => void)[] = []

  /** Returns from where on a chunk is held; -1 if it is forwarded. */
  function findHeld(startup: Buffer, chunk: Buffer): number {
    if (held.length > 0) return 0
    return heldFrom !== null && startup.includes(heldFrom.applicationName) ? chunk.indexOf(heldFrom.text) : -1
  }

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    let isAnswered = true
    let frozen: Buffer[] | null = null
    let startup: Buffer | null = null
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      sockets.add(from)
      from.setNoDelay(true)
      from.on('error', () => undefined)
      from.on('close', () => to.destroy())
    }
    near.on('data', (chunk: Buffer) => {
      if (isAnswered) roundTrips += 1
      isAnswered = false
      startup ??= chunk
      if (frozen !== null) return void frozen.push(chunk)
      const at = findHeld(startup, chunk)
      far.write(at === -1 ? chunk : chunk.subarray(0, at))
      if (at === -1) return
      const rest = [chunk.subarray(at)]
      frozen = rest
      held.push(() => {
        frozen = null
        for (const bytes of rest) far.write(bytes)
      })
    })
    far.on('data', (chunk: Buffer) => {
      isAnswered = true
      near.write(chunk)
    })
  })
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  return {
    url: (databaseUrl) => Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` }).href,
    roundTrips: () => roundTrips,
    holdFrom: (text, applicationName) => void (heldFrom = { text, applicationName }),
    isHolding: () => held.length > 0,
    release() {
      heldFrom = null
      for (const forward of held.splice(0)) forward()
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}
