// Floor 3. The ingest route in the OpenAPI document; its bodies are OTLP's own and stand in the OTLP specification.
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

/** The operation object. */
export function describeIngest(limits: IngestLimits): Record<string, unknown> {
  return {
    description:
      'OTLP over HTTP. Answered after the spans are committed. A span that cannot be decoded or stored is counted in ' +
      'partial_success.rejected_spans and its neighbours are stored. Sending a batch again stores nothing twice.',
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
      400: failed('The body cannot be decoded at all'),
      401: failed('No workspace API key, or one that is not valid'),
      413: failed(
        `Over ${limits.bodyBytes} bytes as sent, ${limits.inflatedBytes} bytes inflated, or ${limits.spansPerRequest} spans`,
      ),
      415: failed('A content type or encoding that is not spoken here'),
      429: retryLater('Too many requests of this workspace'),
      503: retryLater('Nothing that was not acknowledged may be lost: send it again'),
    },
  }
}
