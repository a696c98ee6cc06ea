// One connection to NATS, reopened whenever it is lost. The client's own reconnect is not used: while it reconnects, the client silently
// discards the messages that it is given, and on a server that hangs it may wait for its own last write forever.

import { type ConnectionOptions, errors, type NatsConnection } from '@nats-io/transport-node'
import { pause } from '../base/pause.ts'
import { withTimeout } from '../base/within.ts'
import { connectToNats } from './nats-connect.ts'

export type LinkOptions = {
  readonly connection: ConnectionOptions
  /** The connection to use from now on. All subscriptions must be made again on it. */
  readonly onUp: (connection: NatsConnection) => void
  /** The connection is lost. Always called before the next `onUp`. */
  readonly onDown: () => void
  /** Called with errors that the server reports, and once for each reason why there is no connection. */
  readonly onError: (error: unknown) => void
}

export type NatsLink = {
  /** Closes the present connection, if there is one, and opens another. */
  drop(): void
  /** Closes the open connection. Waits up to 500 ms for earlier messages to be sent. */
  stop(): Promise<void>
}

// The third ping detects a server that hangs: after 6 seconds.
const clientOptions = { reconnect: false, timeout: 1_000, pingInterval: 2_000, maxPingOut: 2, noAsyncTraces: true }
const retryMs = 200
// After a shorter life a connection is not replaced at once: a server that ends every connection would otherwise get thousands of attempts
// a second.
const goodLifeMs = 1_000
const retryJitterMs = 100
const flushTimeoutMs = 500
const oldestServer = { major: 2, minor: 10 }

/**
 * Resolves after the first attempt, which takes at most a second per server, with or without a connection; attempts continue in the
 * background. Throws if the server refuses the login or is too old, since waiting would not help.
 */
export async function openNatsLink(options: LinkOptions): Promise<NatsLink> {
  const stopping = new AbortController()
  let current: NatsConnection | null = null
  let left: string | null = null
  let openedAtMs = 0

  async function openOne(): Promise<NatsConnection> {
    const servers = orderServers(options.connection.servers, left)
    const connection = await connectToNats({ ...options.connection, ...clientOptions, ...servers })
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
    // Neither promise rejects.
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
    // Fails the open requests. The closing of the socket is not awaited.
    void connection.close()
    void reopen(performance.now() - openedAtMs > goodLifeMs ? 0 : retryMs)
  }

  function report(error: Error, reported: string): string {
    const { message } = error
    if (message !== reported) options.onError(new Error(`not connected to NATS: ${message}`, { cause: error }))
    return message
  }

  async function reopen(waitMs: number, known = ''): Promise<void> {
    let reported = known
    for (let pauseMs = waitMs; ; pauseMs = retryMs + Math.random() * retryJitterMs) {
      if (pauseMs > 0) await pause(pauseMs, stopping.signal)
      if (stopping.signal.aborted) return
      try {
        return take(await openOne())
      } catch (error) {
        reported = report(error as Error, reported)
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
      await isDoneWithin(flushTimeoutMs, connection.flush(), connection)
      await connection.close()
    },
  }
}

/**
 * Random order, so that clients spread over the servers. The server that was used last comes last, since detecting that a server hangs
 * costs a second.
 */
function orderServers(servers: ConnectionOptions['servers'], left: string | null): ConnectionOptions {
  if (!Array.isArray(servers)) return {}
  const keys = new Map(servers.map((server) => [server, server === left ? 1 : Math.random()]))
  return { noRandomize: true, servers: servers.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0)) }
}

/** Returns whether the work succeeded in time and before the connection closed. Never rejects. */
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
  return (await withTimeout(timeoutMs, Promise.race([isDone, isClosed]))) === true
}

class TooOld extends Error {
  override readonly name = 'TooOld'
}

function isTooOld(version: string): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version)?.map(Number) ?? []
  if (major === undefined || minor === undefined) return true
  return major < oldestServer.major || (major === oldestServer.major && minor < oldestServer.minor)
}
