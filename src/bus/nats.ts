// The transport between processes, over core NATS. With the prefix `prod` an actor has to be allowed `prod.tw.>` and
// `_INBOX.prod.>` both ways; a front to publish `prod.tw.p.>`, `prod.tw.inv.*` and `prod.tw.commit.*`, and to subscribe the latter two,
// `prod.tw.hb.*`, `prod.tw.route` and `_INBOX.prod.>`: it asks owners and hears who they are, and cannot pass for one.
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import { type NatsAddress, readNatsAddress } from './nats-address.ts'
import { type Failure, makeFailure, throwFailure, translateFailure } from './nats-failures.ts'
import { isDoneWithin, type NatsLink, openNatsLink } from './nats-link.ts'
import {
  Busy,
  type NoticeHandler,
  type RequestHandler,
  type Transport,
  type TransportState,
  Unavailable,
} from './transport.ts'

export type NatsTransportOptions = {
  readonly address: NatsAddress
  /** Shown to whoever operates NATS. */
  readonly name: string
  /** Words put before every subject, so that several clusters can share one account; answers come by `_INBOX.<prefix>.>`. */
  readonly prefix?: string
  /** Told of handlers that threw, of messages that were dropped and of why there is no connection. The subject is empty where it is none. */
  readonly onError: (error: unknown, subject: string) => void
  /** Open requests at most, and of those that others make of us as many at once. */
  readonly maxOpen?: number
}

type Listener = {
  readonly pattern: string
  readonly take: (message: Msg) => void
  subscription: Subscription | null
}

const defaultMaxOpen = 20_000
const flushDeadlineMs = 1_000

/**
 * Resolves with the first connection, or without one after a second for each server: it is down then and goes on trying. Throws on a
 * malformed address, and where the server refuses us or is older than 2.10. A request costs some 25 µs of CPU on each side.
 */
export async function openNatsTransport(options: NatsTransportOptions): Promise<Transport> {
  const maxOpen = options.maxOpen ?? defaultMaxOpen
  const prefix = options.prefix === undefined ? '' : `${options.prefix}.`
  const listeners = new Set<Listener>()
  const stateListeners = new Set<(state: TransportState) => void>()
  let connection: NatsConnection | null = null
  let isStopped = false
  let open = 0
  let taken = 0

  const inner = (subject: string): string => subject.slice(prefix.length)

  function attach(listener: Listener, to: NatsConnection): void {
    listener.subscription = to.subscribe(prefix + listener.pattern, {
      callback: (error, message) => {
        // What is wrong the link has been told already.
        if (error === null && !isStopped) listener.take(message)
      },
    })
  }

  function listen(pattern: string, take: Listener['take']): Listener {
    const listener: Listener = { pattern, take, subscription: null }
    listeners.add(listener)
    if (connection !== null && !connection.isClosed()) attach(listener, connection)
    return listener
  }

  const tell = (state: TransportState): void => {
    for (const listener of stateListeners) listener(state)
  }

  /** True where the server would take it; else the fault is reported. */
  function fits(body: Uint8Array, subject: string, to: NatsConnection): boolean {
    const most = to.info?.max_payload ?? 0
    if (body.length <= most) return true
    options.onError(new Error(`a message has ${body.length} bytes, more than the NATS limit of ${most} bytes`), subject)
    return false
  }

  function send(message: Msg, answer: Uint8Array | Failure): void {
    const { reply } = message
    if (reply === undefined || reply === '' || connection === null || connection.isClosed()) return
    if (typeof answer !== 'string' && fits(answer, inner(message.subject), connection))
      return connection.publish(reply, copy(answer))
    connection.publish(reply, new Uint8Array(), {
      headers: makeFailure(typeof answer === 'string' ? answer : 'failed'),
    })
  }

  async function answer(message: Msg, handler: RequestHandler): Promise<void> {
    const subject = inner(message.subject)
    if (taken >= maxOpen) {
      options.onError(new Busy(`the limit of ${maxOpen} messages in progress is reached`), subject)
      return send(message, 'busy')
    }
    taken += 1
    try {
      send(message, await handler(copy(message.data), subject))
    } catch (error) {
      options.onError(error, subject)
      send(message, 'failed')
    } finally {
      taken -= 1
    }
  }

  async function request(
    subject: string,
    body: Uint8Array,
    { timeoutMs }: { readonly timeoutMs: number },
  ): Promise<Uint8Array> {
    if (connection === null) throw new Unavailable(isStopped ? 'the transport has stopped' : 'NATS is not connected')
    if (open >= maxOpen) throw new Busy(`the limit of ${maxOpen} open requests is reached`)
    if (!fits(body, subject, connection)) throw new Unavailable(`the request on ${subject} is too large for NATS`)
    open += 1
    try {
      const message = await connection.request(prefix + subject, copy(body), { timeout: Math.max(timeoutMs, 1) })
      throwFailure(message)
      return copy(message.data)
    } catch (error) {
      throw translateFailure(error, subject, timeoutMs)
    } finally {
      open -= 1
    }
  }

  const link: NatsLink = await openNatsLink({
    connection: {
      ...readNatsAddress(options.address),
      name: options.name,
      inboxPrefix: options.prefix === undefined ? '_INBOX' : `_INBOX.${options.prefix}`,
    },
    onUp(opened) {
      connection = opened
      for (const listener of listeners) attach(listener, opened)
      tell('up')
    },
    onDown() {
      connection = null
      for (const listener of listeners) listener.subscription = null
      tell('down')
    },
    onError: (error) => options.onError(error, ''),
  })

  return {
    request,
    publish(subject, body) {
      // The client knows of a lost connection a moment before we do.
      if (connection === null || connection.isClosed() || !fits(body, subject, connection)) return
      connection.publish(prefix + subject, copy(body))
    },
    serve(pattern: string, handler: RequestHandler) {
      const running = new Set<Promise<void>>()
      const listener = listen(pattern, (message) => {
        const answering = answer(message, handler).finally(() => running.delete(answering))
        running.add(answering)
      })
      return {
        async drain() {
          listeners.delete(listener)
          const { subscription } = listener
          if (connection !== null && subscription !== null) {
            const isDrained = await isDoneWithin(flushDeadlineMs, subscription.drain(), connection)
            if (!isDrained) subscription.unsubscribe()
          }
          await Promise.all(running)
        },
      }
    },
    subscribe(pattern: string, handler: NoticeHandler) {
      const listener = listen(pattern, (message) => {
        const subject = inner(message.subject)
        try {
          handler(copy(message.data), subject)
        } catch (error) {
          options.onError(error, subject)
        }
      })
      return () => {
        listeners.delete(listener)
        listener.subscription?.unsubscribe()
      }
    },
    async flush() {
      if (connection === null || !(await isDoneWithin(flushDeadlineMs, connection.flush(), connection)))
        throw new Unavailable('NATS did not confirm all published messages in time')
    },
    onState(listener) {
      stateListeners.add(listener)
      listener(connection === null ? 'down' : 'up')
      return () => void stateListeners.delete(listener)
    },
    reconnect: () => link.drop(),
    async stop() {
      isStopped = true
      await link.stop()
    },
  }
}

const copy = (body: Uint8Array): Uint8Array => new Uint8Array(body)
