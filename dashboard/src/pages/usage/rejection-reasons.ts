// The reasons for which spans are rejected, in words, and what to change.

type Reason = { readonly meaning: string; readonly fix: string }

/** By the name in the API. The test of the usage page compares this list with the reasons of the service. */
export const rejectionReasons = {
  undecodable_span: {
    meaning: 'The bytes of the span are broken',
    fix: 'Send OTLP as the exporter made it. A proxy or a serializer in between changes it: export straight to this service.',
  },
  undecodable_resource: {
    meaning: 'The resource or scope around the spans cannot be decoded',
    fix: 'Check the resource attributes that the SDK is set up with: each must be a valid OTLP value and valid UTF-8.',
  },
  invalid_trace_id: {
    meaning: 'The trace id is not 16 bytes, or all zero',
    fix: 'Let the OpenTelemetry SDK make ids. In OTLP/JSON they are 32 hex digits and not base64.',
  },
  invalid_span_id: {
    meaning: 'The span id is not 8 bytes, or all zero',
    fix: 'Let the OpenTelemetry SDK make ids. In OTLP/JSON they are 16 hex digits and not base64.',
  },
  looks_like_logs: {
    meaning: 'These are OTLP logs on the path of traces',
    fix: 'Set OTEL_EXPORTER_OTLP_TRACES_ENDPOINT for traces only, and OTEL_LOGS_EXPORTER=none or another place for logs.',
  },
  start_time_missing: {
    meaning: 'The span has no start time',
    fix: 'Set start_time_unix_nano. The SDK does so where a span is begun and not only ended.',
  },
  start_time_too_old: {
    meaning: 'The span began too long ago',
    fix: 'If it is recent, its times may be in another unit: send them in nanoseconds. Otherwise send spans sooner, or ask the operator to raise TRACEWRIGHT_INGEST_MAX_AGE_S. To load history, shift its times.',
  },
  start_time_in_future: {
    meaning: 'The span begins in the future',
    fix: 'Set the clock of the sending machine by NTP, and send times in nanoseconds, not in another unit.',
  },
  span_too_large: {
    meaning: 'The span is larger than one span may be',
    fix: 'Do not record whole files or images in attributes; cut long messages at the exporter (OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT).',
  },
  too_many_attributes: {
    meaning: 'The span, or an event or link of it, has too many attributes',
    fix: 'Lower OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT, OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT or OTEL_LINK_ATTRIBUTE_COUNT_LIMIT, or put lists into one attribute.',
  },
  not_storable: {
    meaning: 'The database refused the data of the span',
    fix: 'Look for values that are not valid text or numbers. The operator finds the cause in the log of the database, at the time of the rejection (that of the embedded PostgreSQL is written with TRACEWRIGHT_LOG_LEVEL=debug only).',
  },
} as const satisfies Readonly<Record<string, Reason>>

export type KnownReason = keyof typeof rejectionReasons

/** A newer service may have a reason that this page does not know. Its example then still shows what is wrong. */
export const explainReason = (reason: string): Reason =>
  Object.hasOwn(rejectionReasons, reason)
    ? rejectionReasons[reason as KnownReason]
    : { meaning: reason.replaceAll('_', ' '), fix: 'The example says what is wrong with the span.' }
