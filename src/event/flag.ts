// The flags of an event: remarks that are shown beside its numbers.

/** What ingest had to correct on a span or could not determine. Shown to the user as `flags`. */
export type Flag =
  | 'usage_adjusted' // token counts were additive or inconsistent and were made inclusive
  | 'usage_invalid' // a token count or cost was negative, not finite, or absurd, and was dropped
  | 'duration_unknown' // the end is before the start, or further away than a span may last
  | 'clock_ahead' // the span ended more than a second after it was received: its result is never served
  | 'text_cleaned' // U+0000 or a lone surrogate was replaced by U+FFFD
  | 'truncated' // a value, a list or a nesting was cut at its limit
  | 'parent_invalid' // the parent id had a wrong length or was the span itself
  | 'unpriced' // tokens are known, or a count was dropped as invalid, and no cost is
  | 'cost_provided' // the sender reported a cost
  | 'cost_disagrees' // the sender's cost and the computed one differ by more than 5 %
  | 'told_twice' // several instrumentations report the same call, and one span counts
  | 'nested_call' // told_twice, and the span lies around the one that counts, or inside it, or sums up calls beside it
  | 'tool_inferred' // the span asks for tools whose calls no span reports; they count as calls
  | 'error_carried' // the span repeats the failure of another span, which counts
  | 'payload_invalid' // an encrypted tool result was incomplete or malformed and will never be served
  | 'id_repeated' // another span of the trace has the same id
  | 'name_missing' // the span had no name
  | 'redacted' // the content mode removed something from the content
  | 'content_dropped' // redaction failed on the content, which was therefore not kept
  | 'content_withheld' // redaction used up its budget for the request: content that it did not scan became `[redacted:unscanned]`
