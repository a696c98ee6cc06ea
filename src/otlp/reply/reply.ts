// The bodies that ingest answers with, in the encoding of the request.

import type { RejectionTally } from '../intake/rejection-tally.ts'
import { exportResponseType, rpcStatusType } from '../protobuf/schema.ts'
import type { RejectReason } from '../reject.ts'
import { rpcCodeOf } from './rpc-code.ts'

export type WireFormat = 'protobuf' | 'json'

/** What a request came to: the spans rejected, and text for the sender where spans were dropped, or stored without all of their content. */
export type ExportReply = { readonly rejections: RejectionTally; readonly warning: string | null }

/** The Content-Type that goes with a format. */
export const contentTypeOf = (format: WireFormat): string =>
  format === 'json' ? 'application/json' : 'application/x-protobuf'

/**
 * The ExportTraceServiceResponse. `partial_success` is unset where nothing was rejected and nothing is to be warned of; exporters must
 * not send again what it counts.
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
  // proto3 JSON: an int64 travels as text, and one that is zero not at all.
  const partialSuccess = { ...(total > 0 && { rejectedSpans: String(total) }), errorMessage: message }
  return Buffer.from(JSON.stringify({ partialSuccess }))
}

/** The google.rpc.Status for an answer that is not 200. */
export function encodeRpcStatus(httpStatus: number, message: string, format: WireFormat): Buffer {
  const status = { code: rpcCodeOf(httpStatus), message }
  return Buffer.from(format === 'json' ? JSON.stringify(status) : rpcStatusType.encode(status).finish())
}

/** At most some 3 KB: a count for each reason and the first example of it. */
function describe(rejections: RejectionTally, warning: string | null): string {
  const parts = Object.entries(rejections.counts).map(([reason, count]) => {
    const example = rejections.examples.find((candidate) => candidate.reason === (reason as RejectReason))
    return `${count} ${reason}${example === undefined ? '' : ` (${example.detail})`}`
  })
  const rejected = parts.length === 0 ? '' : `Rejected: ${parts.join('; ')}.`
  return [rejected, warning ?? ''].filter((text) => text !== '').join(' ')
}
