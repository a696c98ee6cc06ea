// Connects to NATS without leaving sockets open.
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { type ConnectionOptions, connect, type NatsConnection } from '@nats-io/transport-node'

/** The sockets that one attempt has opened; null when it has ended. */
type Attempt = { sockets: Socket[] | null }

const attempts = new AsyncLocalStorage<Attempt>()

subscribe('net.client.socket', (message) => {
  // A connection keeps the context of its attempt: handlers of its messages open sockets of their own in it.
  attempts.getStore()?.sockets?.push((message as { readonly socket: Socket }).socket)
})

/**
 * As the `connect` of the client, which leaves a socket open for each attempt that exceeds its time limit
 * (https://github.com/nats-io/nats.js/issues/64): a server that accepts connections and does not answer would otherwise cost a socket a
 * second.
 */
export async function connectToNats(options: ConnectionOptions): Promise<NatsConnection> {
  const sockets: Socket[] = []
  const attempt: Attempt = { sockets }
  try {
    return await attempts.run(attempt, async () => await connect(options))
  } catch (error) {
    for (const socket of sockets) socket.destroy()
    throw error
  } finally {
    attempt.sockets = null
  }
}
