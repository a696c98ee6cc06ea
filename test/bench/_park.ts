// Long-polls that are parked at a service, over raw sockets, so that they cost this process little.
import { connect, type Socket } from 'node:net'

export type Parked = {
  /** Times of the answers by performance.now(), in order; resolves when all requests were answered. */
  readonly answeredAtMs: Promise<readonly number[]>
  end(): void
}

/** Sends the request on `count` connections. */
export async function park(port: number, request: string, count: number): Promise<Parked> {
  const times: number[] = []
  const sockets: Socket[] = []
  let allAnswered: (times: readonly number[]) => void
  const answeredAtMs = new Promise<readonly number[]>((done) => (allAnswered = done))
  for (let nth = 0; nth < count; nth += 1) {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    await new Promise<void>((done, fail) => socket.once('connect', done).once('error', fail))
    socket.once('data', () => {
      times.push(performance.now())
      if (times.length === count) allAnswered(times)
    })
    socket.write(request)
  }
  return {
    answeredAtMs,
    end: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}
