// The ingest route in the OpenAPI document. The OTLP specification defines its bodies.
import type { IngestLimits } from '../otlp/intake/limits.ts'

const otlp = (what: string) => ({
  'application/x-protobuf': { schema: { type: 'string', format: 'binary', description: what } },
  'application/json': { schema: { type: 'object', description: what } },
})

const failed = (description: string) => ({ description, content: otlp('google.rpc.Status') })

const retryLater = (description: string) => ({
  ...failed(description),
  headers: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } },
})

/** Returns the operation object. */
export function describeIngest(limits: IngestLimits): Record<string, unknown> {
  return {
    description:
      'OTLP over HTTP. The response comes after the spans are committed. A span that cannot be decoded or stored is counted in ' +
      'partial_success.rejected_spans; the other spans are stored. A batch that is sent again is not stored twice. Of text that may contain secrets or personal data, at most 32 Mi ' +
      'characters of a request are scanned; values beyond that are stored as `[redacted:unscanned]`, and error_message says so (content mode `redacted` and `none`).',
    parameters: [
      {
        name: 'Content-Encoding',
        in: 'header',
        required: false,
        schema: { type: 'string', enum: ['gzip', 'identity'] },
      },
    ],
    requestBody: { required: true, content: otlp('opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest') },
    responses: {
      200: {
        description: 'Committed',
        content: otlp('opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse'),
      },
      400: failed('The body cannot be decoded'),
      401: failed('The workspace API key is missing or not valid'),
      413: failed(
        `The body is larger than ${limits.bodyBytes} bytes as sent or ${limits.inflatedBytes} bytes uncompressed, or has more than ${limits.spansPerRequest} spans`,
      ),
      415: failed('The content type or the content encoding is not supported'),
      429: retryLater('Too many requests from this workspace'),
      503: retryLater('The spans were not acknowledged: send the request again'),
    },
  }
}
