// The interface of the transport between fronts and actors, and its four kinds of failure.

/** Answers one request. A handler should not reject: a rejection is a bug, which the transport reports, and the caller gets Unavailable. */
export type RequestHandler = (body: Uint8Array, subject: string) => Promise<Uint8Array>
export type NoticeHandler = (body: Uint8Array, subject: string) => void
export type TransportState = 'up' | 'down'

export type Served = {
  /** Accepts no more messages; resolves when the accepted ones have been answered. */
  readonly drain: () => Promise<void>
}

/**
 * Requests and notices by subject, delivered at most once. Subjects are words joined by dots; in the patterns of `serve` and `subscribe`,
 * `*` matches one word and a last `>` matches one or more. Bodies are copied: either side may reuse its buffer.
 */
export type Transport = {
  /** Returns the first answer. Throws NoResponders, TransportTimeout, Unavailable, or Busy if too many requests are open. */
  request(subject: string, body: Uint8Array, options: { readonly timeoutMs: number }): Promise<Uint8Array>
  serve(pattern: string, handler: RequestHandler): Served
  /** Reaches the present subscribers, and the responders of the subject (their answer is dropped). Never fails; a notice may be lost. */
  publish(subject: string, body: Uint8Array): void
  /** Returns a function that ends the subscription. */
  subscribe(pattern: string, handler: NoticeHandler): () => void
  /** Resolves when earlier subscriptions are active and earlier notices have been sent. Throws Unavailable if that cannot be confirmed. */
  flush(): Promise<void>
  /** Calls the listener with the present state at once and with each change. Returns a function that removes it. */
  onState(listener: (state: TransportState) => void): () => void
  /**
   * Closes the connection and opens another, for one that seems open but carries nothing. The state is `down` until then. No effect within
   * a process.
   */
  reconnect(): void
  /** Fails open requests with Unavailable and delivers nothing more. */
  stop(): Promise<void>
}

/** No process serves the subject. Reported at once. */
export class NoResponders extends Error {
  override readonly name = 'NoResponders'
}

/** No answer arrived in time; whether the request was carried out is unknown. */
export class TransportTimeout extends Error {
  override readonly name = 'TransportTimeout'
}

/** The transport is down or the connection was lost, the message is too large, or the responder failed. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
}

/** A bounded queue is full: the sender's or the responder's. */
export class Busy extends Error {
  override readonly name = 'Busy'
}
