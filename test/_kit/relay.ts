// A piece of network between two processes that a test can cut, and behind which a server may change its address.
import { connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

export type Relay = {
  readonly port: number
  /** Where connections go from now on. */
  aim(port: number): void
  /** `cut`: what is open breaks and nothing new comes through. `silent`: everything stays open and nothing moves. */
  set(state: 'open' | 'cut' | 'silent'): void
  /** What a client sends arrives so much later: a question and its answer take as long. */
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

  return {
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
}
