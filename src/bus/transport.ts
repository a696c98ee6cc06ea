// What carries messages between fronts and actors, and the four ways in which it fails.

/** Answers one request. It should not reject: that is a bug, reported by the transport, and the caller gets Unavailable. */
export type RequestHandler = (body: Uint8Array, subject: string) => Promise<Uint8Array>
export type NoticeHandler = (body: Uint8Array, subject: string) => void
export type TransportState = 'up' | 'down'

export type Served = {
  /** Takes no more messages; resolves when those already taken have been answered. */
  readonly drain: () => Promise<void>
}

/**
 * Requests and notices by subject, at most once each. Subjects are words joined by dots; in the patterns of `serve` and `subscribe`
 * `*` stands for one word and a last `>` for one or more. Bodies are copied: either side may reuse its buffer.
 */
export type Transport = {
  /** The first answer. Throws NoResponders, TransportTimeout, Unavailable, or Busy where too many requests are open. */
  request(subject: string, body: Uint8Array, options: { readonly timeoutMs: number }): Promise<Uint8Array>
  serve(pattern: string, handler: RequestHandler): Served
  /** Reaches those who listen now, including those who serve the subject (their answer is dropped). Never fails: a lost notice is lost. */
  publish(subject: string, body: Uint8Array): void
  /** Gives back what ends it. */
  subscribe(pattern: string, handler: NoticeHandler): () => void
  /** Resolves when earlier subscriptions are active and earlier notices are on their way. Throws Unavailable where that cannot be known. */
  flush(): Promise<void>
  /** Tells the present state at once and each change; gives back what ends it. */
  onState(listener: (state: TransportState) => void): () => void
  /** Gives up the connection and opens another, for one that looks up and carries nothing. Down until then; nothing within a process. */
  reconnect(): void
  /** Fails what is open with Unavailable and delivers nothing more. */
  stop(): Promise<void>
}

/** Nobody serves the subject: known at once. */
export class NoResponders extends Error {
  override readonly name = 'NoResponders'
}

/** No answer in time; whether the request was carried out is unknown. */
export class TransportTimeout extends Error {
  override readonly name = 'TransportTimeout'
}

/** The transport is down or was lost under way, the message is too large for it, or the responder failed. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
}

/** A bounded queue on the way is full: ours, or the responder's. */
export class Busy extends Error {
  override readonly name = 'Busy'
}
