// The response bodies of ingest, in the encoding of the request.

import type { RejectionTally } from '../intake/rejection-tally.ts'
import { exportResponseType, rpcStatusType } from '../protobuf/schema.ts'
import type { RejectReason } from '../reject.ts'
import { rpcCodeOf } from './rpc-code.ts'

export type WireFormat = 'protobuf' | 'json'

/** The outcome of a request: its rejected spans, and a text for the sender if spans were dropped or stored without all of their content. */
export type ExportReply = { readonly rejections: RejectionTally; readonly warning: string | null }

/** Returns the Content-Type of a format. */
export const contentTypeOf = (format: WireFormat): string =>
  format === 'json' ? 'application/json' : 'application/x-protobuf'

/**
 * Returns the ExportTraceServiceResponse. `partial_success` is unset if there are neither rejections nor a warning. Exporters must not
 * retry the spans that it counts.
 */
export function encodeExportReply(reply: ExportReply, format: WireFormat): Buffer {
  const { rejections, warning } = reply
  const message = describe(rejections, warning)
  if (message === '') return format === 'json' ? Buffer.from('{}') : Buffer.alloc(0)
  const { total } = rejections
  if (format === 'protobuf') {
    const partialSuccess = { rejectedSpans: total, errorMessage: message }
    return Buffer.from(exportResponseType.encode({ partialSuccess }).finish())
  }
  // proto3 JSON writes an int64 as a string, and omits one that is zero.
  const partialSuccess = { ...(total > 0 && { rejectedSpans: String(total) }), errorMessage: message }
  return Buffer.from(JSON.stringify({ partialSuccess }))
}

/** Returns the google.rpc.Status for a response other than 200. */
export function encodeRpcStatus(httpStatus: number, message: string, format: WireFormat): Buffer {
  const status = { code: rpcCodeOf(httpStatus), message }
  return Buffer.from(format === 'json' ? JSON.stringify(status) : rpcStatusType.encode(status).finish())
}

/** Returns a count and the first example for each reason, and the warning: at most some 3 KB. */
function describe(rejections: RejectionTally, warning: string | null): string {
  const parts = Object.entries(rejections.counts).map(([reason, count]) => {
    const example = rejections.examples.find((candidate) => candidate.reason === (reason as RejectReason))
    return `${count} ${reason}${example === undefined ? '' : ` (${example.detail})`}`
  })
  const rejected = parts.length === 0 ? '' : `Rejected: ${parts.join('; ')}.`
  return [rejected, warning ?? ''].filter((text) => text !== '').join(' ')
}
