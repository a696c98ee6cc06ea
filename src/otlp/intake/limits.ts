// Limits on the size of a request and of a span, and on the start time of a span.

export type IngestLimits = {
  /** Bytes of the body as received, compressed or not. */
  readonly bodyBytes: number
  /** Bytes after gunzip, over all gzip members. */
  readonly inflatedBytes: number
  readonly spansPerRequest: number
  /** Encoded bytes of one span: 1 MiB for its largest value, 64 KiB for the rest. */
  readonly spanBytes: number
  /** Attributes that are kept of one span, event, link, resource or scope. */
  readonly attributes: number
  /** A span with more attributes is rejected. */
  readonly rawAttributes: number
  readonly events: number
  readonly links: number
  readonly keyBytes: number
  readonly valueBytes: number
  /** For the attributes that carry messages, tool arguments and results. */
  readonly contentValueBytes: number
  /** For names, versions, trace states and schema URLs. */
  readonly nameBytes: number
  /** Levels of nesting kept in a value; a plain value is one level. */
  readonly depth: number
  /** A span with a value of this many levels or more is rejected. */
  readonly refusedDepth: number
  /**
   * Values inside other values, and attributes of events and links, that one request may create. It bounds memory: two bytes of the request
   * can become an object. Values beyond the limit are cut.
   */
  readonly nestedValuesPerRequest: number
  readonly maxAgeMs: number
  readonly maxAheadMs: number
  /** A span that lasts this long or longer has no known duration. */
  readonly maxDurationMs: number
}

const kib = 1_024
const mib = 1_024 * kib
const minuteMs = 60_000
const dayMs = 1_440 * minuteMs

export const defaultIngestLimits: IngestLimits = {
  bodyBytes: 16 * mib,
  inflatedBytes: 64 * mib,
  spansPerRequest: 10_000,
  spanBytes: mib + 64 * kib,
  attributes: 256,
  rawAttributes: 4_096,
  events: 128,
  links: 128,
  keyBytes: 256,
  valueBytes: 64 * kib,
  contentValueBytes: 256 * kib,
  nameBytes: kib,
  depth: 16,
  refusedDepth: 50,
  nestedValuesPerRequest: 2_097_152,
  maxAgeMs: 7 * dayMs,
  maxAheadMs: 10 * minuteMs,
  maxDurationMs: 30 * dayMs,
}
