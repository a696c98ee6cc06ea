// A network connection between two processes that a test can cut, and behind which a server may change its port.
import { connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

export type Relay = {
  readonly port: number
  /** Is called with every connection that is accepted. */
  onAccepted: () => void
  /** Sets the port that connections are forwarded to from now on. */
  aim(port: number): void
  /** `cut`: open connections break and new ones fail. `silent`: connections stay open, but no data is forwarded. */
  set(state: 'open' | 'cut' | 'silent'): void
  /** Delays what clients send by `ms`, which is also the delay of a request and its answer. */
  delay(ms: number): void
  stop(): Promise<void>
}

export async function openRelay(target: number): Promise<Relay> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let aimed = target
  let state: 'open' | 'cut' | 'silent' = 'open'
  let delayMs = 0

  const makeSlow = (): Transform =>
    new Transform({
      transform(chunk, _encoding, done) {
        if (delayMs === 0) done(null, chunk)
        else setTimeout(() => done(null, chunk), delayMs)
      },
    })

  const server = createServer((near) => {
    relay.onAccepted()
    if (state === 'cut') {
      near.resetAndDestroy()
      return
    }
    const far = connect(aimed, '127.0.0.1')
    const pair = [near, far] as const
    pairs.add(pair)
    for (const [from, to] of [pair, [far, near] as const]) {
      from.setNoDelay(true)
      from.on('error', () => undefined)
      from.on('close', () => {
        pairs.delete(pair)
        to.destroy()
      })
    }
    near.pipe(makeSlow()).pipe(far)
    far.pipe(near)
    if (state === 'silent') for (const socket of pair) socket.pause()
  })
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done))

  function breakAll(): void {
    for (const [near, far] of pairs) {
      near.resetAndDestroy()
      far.resetAndDestroy()
    }
  }

  const relay: Relay = {
    onAccepted: () => undefined,
    port: (server.address() as { port: number }).port,
    aim(port) {
      aimed = port
    },
    set(next) {
      state = next
      if (next === 'cut') breakAll()
      for (const socket of [...pairs].flat()) {
        if (next === 'silent') socket.pause()
        else socket.resume()
      }
    },
    delay(ms) {
      delayMs = ms
    },
    async stop() {
      breakAll()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
  return relay
}
