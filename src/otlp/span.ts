// A span as it was received: checked, bounded and cleaned, but not yet interpreted.
import type { Flag } from '../event/flag.ts'
import type { Names } from './names.ts'

/** An OTLP AnyValue. int64 arrives as bigint only where a number would lose digits. Non-finite doubles arrive as 'NaN', 'Infinity', '-Infinity'. */
export type AttributeValue = string | number | bigint | boolean | Uint8Array | null | AttributeValue[] | AttributeMap

/** Attributes by key; a Map, so that a key such as `__proto__` is only data. */
export type AttributeMap = Map<string, AttributeValue>

/** The attributes of a span: a Map, or what reads as one and decodes a value when it is asked for. */
export type Attributes = {
  readonly size: number
  /** A number is a key that `among` gave. */
  get(key: string | number): AttributeValue | undefined
  has(key: string): boolean
  /** The keys of those of `names` that there are, in their order, from a reader that knows without looking. */
  among?(names: Names): readonly (string | number)[]
  [Symbol.iterator](): IterableIterator<[string, AttributeValue]>
}

export type SpanEvent = {
  readonly name: string
  readonly timeUnixNano: bigint
  readonly attributes: AttributeMap
}

export type SpanLink = {
  /** 32 lower-case hex characters. */
  readonly traceId: string
  /** 16 lower-case hex characters. */
  readonly spanId: string
  readonly attributes: AttributeMap
}

export type Resource = { readonly attributes: AttributeMap; readonly schemaUrl: string }

export type Scope = { readonly name: string; readonly version: string; readonly attributes: AttributeMap }

export type Span = {
  /** 32 lower-case hex characters, never all zero. */
  readonly traceId: string
  /** 16 lower-case hex characters, never all zero. */
  readonly spanId: string
  readonly parentSpanId: string | null
  readonly traceState: string
  /** Never empty ("unknown" where the sender gave none), at most 1 KiB. */
  readonly name: string
  /** OTLP SpanKind 0–5; unknown numbers arrive as 0. */
  readonly spanKind: number
  readonly startTimeUnixNano: bigint
  readonly endTimeUnixNano: bigint
  readonly attributes: Attributes
  readonly droppedAttributesCount: number
  readonly events: readonly SpanEvent[]
  readonly droppedEventsCount: number
  readonly links: readonly SpanLink[]
  readonly droppedLinksCount: number
  /** OTLP status: 0 unset, 1 ok, 2 error. */
  readonly statusCode: 0 | 1 | 2
  readonly statusMessage: string
  readonly resource: Resource
  readonly scope: Scope
  /** Mutable: later steps add what they mend. */
  readonly flags: Set<Flag>
  /** The span's protobuf as received, where nothing of it had to be mended: what is stored unless something is to be redacted. */
  readonly received: Uint8Array | null
}
