import test from 'ava'
import { countRejection, openTally, type RejectionTally } from '../../../src/otlp/intake/rejection-tally.ts'
import { exportResponseType, rpcStatusType } from '../../../src/otlp/protobuf/schema.ts'
import { contentTypeOf, encodeExportReply, encodeRpcStatus } from '../../../src/otlp/reply/reply.ts'

type Partial = { partialSuccess?: { rejectedSpans?: string; errorMessage?: string } }

const fromProtobuf = (bytes: Uint8Array) =>
  exportResponseType.toObject(exportResponseType.decode(bytes), { longs: String }) as Partial
const fromJson = (bytes: Buffer) => JSON.parse(bytes.toString()) as Partial

function tallyOf(...reasons: Parameters<typeof countRejection>[1][]): RejectionTally {
  const tally = openTally()
  for (const reason of reasons) countRejection(tally, reason)
  return tally
}

test('full success leaves partial success unset', (t) => {
  const reply = { rejections: openTally(), warning: null }
  t.is(encodeExportReply(reply, 'protobuf').length, 0)
  t.is(encodeExportReply(reply, 'json').toString(), '{}')
})

test('rejections are counted and explained in either encoding', (t) => {
  const noId = { reason: 'invalid_trace_id', detail: 'No id.' } as const
  const rejections = tallyOf(noId, noId, { reason: 'start_time_missing', detail: 'No start.' })
  const expected = {
    partialSuccess: {
      rejectedSpans: '3',
      errorMessage: 'Rejected: 2 invalid_trace_id (No id.); 1 start_time_missing (No start.).',
    },
  }
  t.deepEqual(fromProtobuf(encodeExportReply({ rejections, warning: null }, 'protobuf')), expected)
  t.deepEqual(fromJson(encodeExportReply({ rejections, warning: null }, 'json')), expected)
})

test('a warning alone rejects nothing', (t) => {
  const reply = { rejections: openTally(), warning: 'The event quota is used up.' }
  const expected = { partialSuccess: { errorMessage: 'The event quota is used up.' } }
  t.deepEqual(fromProtobuf(encodeExportReply(reply, 'protobuf')), expected)
  t.deepEqual(fromJson(encodeExportReply(reply, 'json')), expected)
})

test('a warning follows the rejections', (t) => {
  const rejections = tallyOf({ reason: 'not_storable', detail: 'The database refused it.' })
  const { partialSuccess } = fromJson(encodeExportReply({ rejections, warning: 'Quota.' }, 'json'))
  t.is(partialSuccess?.errorMessage, 'Rejected: 1 not_storable (The database refused it.). Quota.')
})

test('an answer other than 200 is a google.rpc.Status', (t) => {
  for (const [status, code] of [
    [400, 3],
    [401, 16],
    [413, 3],
    [415, 3],
    [429, 8],
    [500, 13],
    [503, 14],
    [418, 2],
  ] as const) {
    const expected = { code, message: 'why' }
    t.deepEqual(rpcStatusType.toObject(rpcStatusType.decode(encodeRpcStatus(status, 'why', 'protobuf'))), expected)
    t.deepEqual(JSON.parse(encodeRpcStatus(status, 'why', 'json').toString()), expected)
  }
})

test('each format has its content type', (t) => {
  t.is(contentTypeOf('protobuf'), 'application/x-protobuf')
  t.is(contentTypeOf('json'), 'application/json')
})
