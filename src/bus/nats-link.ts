// One connection to NATS, opened again whenever it is lost. It does not leave that to the client: what the client is given
// while it reconnects by itself it throws away in silence, and on a server that hangs it may wait for its own last write for ever.
import { setTimeout as sleep } from 'node:timers/promises'
import { type ConnectionOptions, connect, errors, type NatsConnection } from '@nats-io/transport-node'
import { within } from '../base/within.ts'

export type LinkOptions = {
  readonly connection: ConnectionOptions
  /** The connection to use from now on; its subscriptions are to be made anew. */
  readonly onUp: (connection: NatsConnection) => void
  /** The connection is of no use from now on. Always comes before the next `onUp`. */
  readonly onDown: () => void
  /** Told of what the server complains about, and once of each reason why there is no connection. */
  readonly onError: (error: unknown) => void
}

export type NatsLink = {
  /** Gives up the present connection, where there is one, and opens another. */
  drop(): void
  /** Closes what is open; waits for earlier messages to leave, but not long. */
  stop(): Promise<void>
}

// A server that hangs is found out by the third ping: after 6 seconds.
const clientOptions = { reconnect: false, timeout: 1_000, pingInterval: 2_000, maxPingOut: 2, noAsyncTraces: true }
const retryMs = 200
// One that lived shorter is not replaced at once, or a server that ends every connection would be asked for thousands a second.
const goodLifeMs = 1_000
const retryJitterMs = 100
const lastWordsMs = 500
const oldestServer = { major: 2, minor: 10 }

/**
 * Resolves after the first attempt, at most a second for each server, whether there is a connection or not: the attempts go on.
 * Throws where the server refuses us or is too old: waiting would not help.
 */
export async function openNatsLink(options: LinkOptions): Promise<NatsLink> {
  const stopping = new AbortController()
  let current: NatsConnection | null = null
  let left: string | null = null
  let openedAtMs = 0

  async function openOne(): Promise<NatsConnection> {
    const servers = orderServers(options.connection.servers, left)
    const connection = await connect({ ...options.connection, ...clientOptions, ...servers })
    const version = connection.info?.version ?? 'unknown'
    if (isTooOld(version)) {
      await connection.close()
      throw new TooOld(`the NATS server has version ${version}; version 2.10 or later is required`)
    }
    return connection
  }

  function take(connection: NatsConnection): void {
    if (stopping.signal.aborted) return void connection.close()
    current = connection
    openedAtMs = performance.now()
    // Neither of the two rejects.
    void connection.closed().then(() => drop(connection))
    void follow(connection)
    options.onUp(connection)
  }

  async function follow(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'staleConnection') drop(connection)
      if (status.type === 'error') options.onError(status.error)
    }
  }

  function drop(connection: NatsConnection | null): void {
    if (connection === null || connection !== current) return
    current = null
    left = connection.getServer()
    options.onDown()
    // Fails the requests that are open; the socket is not waited for.
    void connection.close()
    void reopen(performance.now() - openedAtMs > goodLifeMs ? 0 : retryMs)
  }

  function report(error: Error, told: string): string {
    const { message } = error
    if (message !== told) options.onError(new Error(`not connected to NATS: ${message}`, { cause: error }))
    return message
  }

  async function reopen(waitMs: number, known = ''): Promise<void> {
    let told = known
    for (let pauseMs = waitMs; ; pauseMs = retryMs + Math.random() * retryJitterMs) {
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      try {
        return take(await openOne())
      } catch (error) {
        told = report(error as Error, told)
      }
    }
  }

  try {
    take(await openOne())
  } catch (error) {
    if (error instanceof TooOld) throw error
    if (error instanceof errors.AuthorizationError)
      throw new Error(`NATS refused the connection: ${error.message}`, { cause: error })
    void reopen(retryMs, report(error as Error, ''))
  }

  return {
    drop: () => drop(current),
    async stop() {
      const connection = current
      current = null
      stopping.abort()
      if (connection === null) return
      options.onDown()
      await isDoneWithin(lastWordsMs, connection.flush(), connection)
      await connection.close()
    },
  }
}

/** In any order, so that clients spread; but the one that was left last, since one that hangs costs a second to find out. */
function orderServers(servers: ConnectionOptions['servers'], left: string | null): ConnectionOptions {
  if (!Array.isArray(servers)) return {}
  const keys = new Map(servers.map((server) => [server, server === left ? 1 : Math.random()]))
  return { noRandomize: true, servers: servers.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0)) }
}

/** Whether the work was done in time, on a connection that lived to see it. Never rejects. */
export async function isDoneWithin(
  timeoutMs: number,
  work: Promise<unknown>,
  connection: NatsConnection,
): Promise<boolean> {
  const isDone = work.then(
    () => true,
    () => false,
  )
  const isClosed = connection.closed().then(() => false)
  return (await within(timeoutMs, Promise.race([isDone, isClosed]))) === true
}

class TooOld extends Error {
  override readonly name = 'TooOld'
}

function isTooOld(version: string): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version)?.map(Number) ?? []
  if (major === undefined || minor === undefined) return true
  return major < oldestServer.major || (major === oldestServer.major && minor < oldestServer.minor)
}
