// The transport within one process. It keeps the guarantees of a network transport, by setImmediate and copies.
import { makeSubjectTree } from './subject-tree.ts'
import {
  Busy,
  NoResponders,
  type NoticeHandler,
  type RequestHandler,
  type Transport,
  type TransportState,
  TransportTimeout,
  Unavailable,
} from './transport.ts'

export type LocalTransportOptions = {
  /** Called when a handler throws, and when a notice is dropped because too many messages wait. */
  readonly onError: (error: unknown, subject: string) => void
  /** The maximum of open requests, and also of undelivered messages. */
  readonly maxOpen?: number
  /** Calls `run` once after the delay; the returned function cancels it. Used for request timeouts. Default: the real clock. */
  readonly after?: (delayMs: number, run: () => void) => () => void
}

/** A responder or a subscriber. */
type Listener = {
  readonly handle: (body: Uint8Array, subject: string) => Promise<Uint8Array> | null
  readonly running: Set<Promise<unknown>>
}

const defaultMaxOpen = 20_000

/** Up from the start. A request costs two turns of the event loop. */
export function openLocalTransport(options: LocalTransportOptions): Transport {
  const maxOpen = options.maxOpen ?? defaultMaxOpen
  const after = options.after ?? afterReally
  const listeners = makeSubjectTree<Listener>()
  const stateListeners = new Set<(state: TransportState) => void>()
  const open = new Set<(error: Error) => void>()
  let state: TransportState = 'up'
  let undelivered = 0

  /**
   * Runs the handler in a later turn. Resolves with null if the listener is a subscriber, which does not answer. Rejects only with
   * Unavailable.
   */
  function deliver(listener: Listener, body: Uint8Array, subject: string): Promise<Uint8Array | null> {
    undelivered += 1
    const running = new Promise<void>((turn) => setImmediate(turn)).then(async () => {
      undelivered -= 1
      if (state === 'down') throw new Unavailable('the transport has stopped')
      try {
        return await listener.handle(body, subject)
      } catch (error) {
        options.onError(error, subject)
        throw new Unavailable('the responder failed')
      }
    })
    listener.running.add(running)
    const forget = (): void => void listener.running.delete(running)
    running.then(forget, forget)
    return running
  }

  function listen(pattern: string, handle: Listener['handle']): { end: () => void; running: Set<Promise<unknown>> } {
    const listener: Listener = { handle, running: new Set() }
    return { end: listeners.add(pattern, listener), running: listener.running }
  }

  function request(
    subject: string,
    body: Uint8Array,
    { timeoutMs }: { readonly timeoutMs: number },
  ): Promise<Uint8Array> {
    return new Promise<Uint8Array>((resolve, reject) => {
      if (state === 'down') return reject(new Unavailable('the transport has stopped'))
      if (open.size >= maxOpen) return reject(new Busy(`the limit of ${maxOpen} open requests is reached`))
      const responders = listeners.match(subject)
      if (responders.length === 0) return reject(new NoResponders(`no process answers on ${subject}`))

      const end = (): void => {
        cancel()
        open.delete(fail)
      }
      const fail = (error: Error): void => {
        end()
        reject(error)
      }
      const cancel = after(timeoutMs, () =>
        fail(new TransportTimeout(`no answer on ${subject} within ${timeoutMs} ms`)),
      )
      open.add(fail)
      for (const responder of responders) {
        deliver(responder, copy(body), subject).then((answer) => {
          if (answer === null) return
          end()
          resolve(copy(answer))
        }, fail)
      }
    })
  }

  function publish(subject: string, body: Uint8Array): void {
    if (state === 'down') return
    for (const listener of listeners.match(subject)) {
      if (undelivered >= maxOpen)
        return options.onError(new Busy(`the limit of ${maxOpen} waiting messages is reached`), subject)
      // The failure was already reported by `deliver`, and the sender of a notice expects no answer.
      deliver(listener, copy(body), subject).catch(() => undefined)
    }
  }

  return {
    request,
    publish,
    serve(pattern: string, handler: RequestHandler) {
      const { end, running } = listen(pattern, handler)
      return {
        async drain() {
          end()
          await Promise.allSettled(running)
        },
      }
    },
    subscribe: (pattern: string, handler: NoticeHandler) =>
      listen(pattern, (body, subject) => {
        handler(body, subject)
        return null
      }).end,
    flush: () => new Promise<void>((turn) => setImmediate(turn)),
    onState(listener) {
      stateListeners.add(listener)
      listener(state)
      return () => void stateListeners.delete(listener)
    },
    reconnect: () => undefined,
    stop() {
      if (state === 'up') {
        state = 'down'
        for (const fail of open) fail(new Unavailable('the transport has stopped'))
        for (const listener of stateListeners) listener('down')
      }
      return Promise.resolve()
    },
  }
}

const copy = (body: Uint8Array): Uint8Array => new Uint8Array(body)

function afterReally(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs)
  return () => clearTimeout(timer)
}
