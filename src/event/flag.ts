// What a reader is told beside the numbers.

/** What ingest had to mend on a span or could not know. Shown to the reader as `flags`. */
export type Flag =
  | 'usage_adjusted' // token counts were additive or inconsistent and were made inclusive
  | 'usage_invalid' // a token count or cost was negative, not finite, or absurd, and was dropped
  | 'duration_unknown' // the end is before the start, or further away than a span may last
  | 'text_cleaned' // U+0000 or a lone surrogate was replaced by U+FFFD
  | 'truncated' // a value, a list or a nesting was cut at its limit
  | 'parent_invalid' // the parent id had a wrong length or was the span itself
  | 'unpriced' // tokens are known but no price is
  | 'cost_provided' // the sender gave a cost of its own
  | 'cost_disagrees' // the sender's cost and ours differ by more than 5 %
  | 'told_twice' // several spans tell of the same call, of which one counts
  | 'nested_call' // the span and the one that counts for the same call lie in one another
  | 'tool_inferred' // the span asks for tools whose calls no span reports; they count as calls
  | 'error_carried' // the failure is that of another span, which counts
  | 'payload_invalid' // an encrypted tool result was incomplete or malformed and will never be served
  | 'id_repeated' // another span of the trace has the same id
  | 'name_missing' // the span had no name
  | 'redacted' // the content mode removed something from the content
  | 'content_dropped' // redaction failed on the content, which was therefore not kept
  | 'content_withheld' // redaction had too much to do for the request: what it did not look at became `[redacted:unscanned]`
