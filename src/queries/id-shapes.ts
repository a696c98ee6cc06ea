// The ids of OTLP as request parameters.
import { matching } from '../web/shapes.ts'

const exampleTraceId = '5b8efff798038103d269b633813fc60c'

/** A trace id, converted to lower case. */
export const traceIdParam = matching(/^[0-9a-fA-F]{32}$/, exampleTraceId).transform((text) => text.toLowerCase())

/** `<trace_id>.<span_id>` or `<trace_id>.<span_id>.<start in Unix microseconds>`, split into its parts. */
export const eventIdParam = matching(
  /^[0-9a-fA-F]{32}\.[0-9a-fA-F]{16}(?:\.\d{1,16})?$/,
  `${exampleTraceId}.eee19b7ec3c1b174`,
).transform((text) => {
  const [traceId = '', spanId = '', startUs] = text.toLowerCase().split('.')
  return { traceId, spanId, startUs: startUs === undefined ? null : Number(startUs) }
})
