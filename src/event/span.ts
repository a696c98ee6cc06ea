// A span as it was received: checked, bounded and cleaned, but not yet interpreted.
import type { Flag } from './flag.ts'
import type { Names } from './names.ts'

/** An OTLP AnyValue. int64 arrives as bigint only where a number would lose digits. Non-finite doubles arrive as 'NaN', 'Infinity', '-Infinity'. */
export type AttributeValue = string | number | bigint | boolean | Uint8Array | null | AttributeValue[] | AttributeMap

/** Attributes by key; a Map, so that a key such as `__proto__` is only data. */
export type AttributeMap = Map<string, AttributeValue>

/** The attributes of a span: a Map, or an object that reads like one and decodes values on demand. */
export type Attributes = {
  readonly size: number
  /** A number is a key that `among` returned. */
  get(key: string | number): AttributeValue | undefined
  has(key: string): boolean
  /** Returns the keys of those `names` that are present, in their order. Only readers that cache this have it. */
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
  /** Mutable: later steps add flags for what they correct. */
  readonly flags: Set<Flag>
  /** The protobuf of the span as received, if nothing had to be corrected. It is stored unless something has to be redacted. */
  readonly received: Uint8Array | null
}
