// The transport between processes, over core NATS. With the prefix `prod`, an actor needs permission to publish and subscribe `prod.tw.>`
// and `_INBOX.prod.>`. A front needs to publish `prod.tw.p.>`, `prod.tw.inv.*` and `prod.tw.commit.*`, and to subscribe `prod.tw.inv.*`,
// `prod.tw.commit.*`, `prod.tw.hb.*`, `prod.tw.route` and `_INBOX.prod.>`: it sends requests to owners and learns who they are, and cannot
// impersonate one.
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import { type NatsAddress, readNatsAddress } from './nats-address.ts'
import { makeFailure, type ResponderFailure, throwFailure, translateFailure } from './nats-failures.ts'
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
  /** Shown to operators of NATS. */
  readonly name: string
  /** Words in front of every subject, so that several clusters can share one account. Answers arrive on `_INBOX.<prefix>.>`. */
  readonly prefix?: string
  /**
   * Called when a handler throws, when a message is dropped, and with the reason why there is no connection. The subject is empty if the
   * error concerns no subject.
   */
  readonly onError: (error: unknown, subject: string) => void
  /** The maximum of our open requests, and separately of requests from others in progress. */
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
 * Resolves with the first connection, or without one after a second per server; the transport is then down and keeps trying. Throws if the
 * address is malformed, or if the server refuses the login or is older than 2.10. A request costs about 25 µs of CPU on each side.
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
        // The link reports the error.
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

  /** True if the server accepts a message of this size; otherwise reports the error. */
  function fits(body: Uint8Array, subject: string, to: NatsConnection): boolean {
    const most = to.info?.max_payload ?? 0
    if (body.length <= most) return true
    options.onError(new Error(`a message has ${body.length} bytes, more than the NATS limit of ${most} bytes`), subject)
    return false
  }

  function send(message: Msg, answer: Uint8Array | ResponderFailure): void {
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
      // The client notices a lost connection a moment before the link reports it.
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
