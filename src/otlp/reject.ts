// The reasons for which one span of a request is rejected while the others are stored.

export const rejectReasons = [
  'undecodable_span', // broken bytes, invalid UTF-8 or a wrong JSON type inside this span
  'undecodable_resource', // the resource or scope that holds this span cannot be decoded
  'invalid_trace_id',
  'invalid_span_id',
  'looks_like_logs', // OTLP logs posted to the trace path
  'start_time_missing',
  'start_time_too_old',
  'start_time_in_future',
  'span_too_large',
  'too_many_attributes',
  'not_storable', // PostgreSQL refused the row's data
] as const
export type RejectReason = (typeof rejectReasons)[number]

/** One rejected span, as plain data that may cross a thread boundary. `detail` is one sentence without customer content. */
export type Rejection = { readonly reason: RejectReason; readonly detail: string }

/** For a span whose row PostgreSQL refused. */
export const notStorable: Rejection = {
  reason: 'not_storable',
  detail:
    'The database rejected the data of this span; its log has the reason (that of the embedded PostgreSQL is written with TRACEWRIGHT_LOG_LEVEL=debug only).',
}
