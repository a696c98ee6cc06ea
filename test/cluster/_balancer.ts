// A minimal load balancer for a cluster on one machine: forwards to the ready fronts in turn. Not part of the product.

import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

export type Balancer = {
  readonly baseUrl: string
  readonly port: number
  /** Forwards no new request to this front until `join`, as if it had been taken out of the list before it is told to stop. */
  leave(front: Front): void
  join(front: Front): void
  stop(): Promise<void>
}

type Front = { readonly name: string; readonly baseUrl: string; isReady(): Promise<boolean> }

const probeMs = 200
/** As the service itself: a client whose machine stood still for seconds must not use a connection that ends at that moment. */
const keepAliveMs = 65_000
const noneReady = 'no front is ready'

/** Serves on `port` (0: a free one); checks five times a second which fronts are ready. */
export async function openBalancer(fronts: readonly Front[], port: number): Promise<Balancer> {
  const ready = new Set<Front>()
  const left = new Set<Front>()
  let turn = 0
  const stopping = new AbortController()

  async function watch(front: Front): Promise<void> {
    while (!stopping.signal.aborted) {
      if (await front.isReady()) ready.add(front)
      else ready.delete(front)
      await new Promise((done) => setTimeout(done, probeMs).unref())
    }
  }

  /**
   * Returns the fronts that have not left: the ready ones, beginning with the next one, then the others, which may only have answered their
   * probe late, as on a machine that stands still. One that does not listen refuses the connection.
   */
  function inTurn(): readonly Front[] {
    const [able = [], others = []] = [true, false].map((isReady) =>
      fronts.filter((front) => !left.has(front) && ready.has(front) === isReady),
    )
    turn += 1
    return [...able.map((_, at) => able[(turn + at) % able.length] as Front), ...others]
  }

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    for (const front of inTurn()) {
      const result = await forward(front, incoming, body, outgoing)
      if (result === 'refused') ready.delete(front)
      else return
    }
    // Not 503, which only fronts send.
    outgoing.writeHead(502, { 'retry-after': '1', 'content-type': 'text/plain' }).end(noneReady)
  }

  const server = createServer({ keepAliveTimeout: keepAliveMs }, (incoming, outgoing) => {
    // The caller has disconnected, or will retry.
    pass(incoming, outgoing).catch(() => outgoing.destroy())
  })
  for (const front of fronts) void watch(front)
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, '127.0.0.1', done))
  const address = server.address() as { port: number }
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    port: address.port,
    leave: (front) => void left.add(front),
    join: (front) => void left.delete(front),
    async stop() {
      stopping.abort()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/**
 * Resolves to `refused` if the front does not listen, so that another one may be tried. If the connection breaks later, the caller's
 * connection is closed too.
 */
function forward(
  { baseUrl }: Front,
  incoming: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
): Promise<'refused' | 'done'> {
  return new Promise((done) => {
    // A connection for each request, so that no request meets a connection that is being closed.
    const { 'transfer-encoding': _chunked, connection: _connection, ...rest } = incoming.headers
    const headers = { ...rest, 'content-length': body.length }
    const call = request(baseUrl + (incoming.url ?? '/'), { method: incoming.method, headers, agent: false })
    const breakOff = (): void => {
      outgoing.destroy()
      done('done')
    }
    call.on('response', (response) => {
      const { connection: _close, 'keep-alive': _alive, ...kept } = response.headers
      outgoing.writeHead(response.statusCode ?? 502, kept)
      response.pipe(outgoing)
      response.on('end', () => done('done')).on('error', breakOff)
    })
    call.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') done('refused')
      else breakOff()
    })
    outgoing.on('close', () => call.destroy())
    call.end(body)
  })
}
