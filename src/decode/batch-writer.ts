// Writes the rows of one request: events, the tool results that some of them carry, and the columns that counting needs.
import { type CopyWriter, makeCopyWriter } from '../encode/copy-writer.ts'
import { addToColumns, columnBuffer, finishColumns, type OpenColumns, openColumns } from '../encode/event-columns.ts'
import { type EventRow, keyOffsets, writeEventRow } from '../encode/row.ts'
import type { DecodedBatch } from './decode-task.ts'

/** The columns of the table of tool results, in the order of its rows. */
export const resultColumnNames: readonly string[] = [
  'workspace_id',
  'start_time',
  'trace_id',
  'span_id',
  'ciphertext',
  'iv',
  'tag',
]

/** The rows of one request while they are written. Plain data for the same reason as `OpenColumns`. */
type OpenBatch = {
  readonly events: CopyWriter
  readonly results: CopyWriter
  readonly columns: OpenColumns
  readonly offsets: Uint32Array<ArrayBuffer>
  readonly blockOfRow: Uint32Array<ArrayBuffer>
  readonly resultOffsets: number[]
  readonly resultRows: number[]
  rows: number
}

/** Opens a batch for at most `maxRows` rows. `events` and `results` must be empty, and can be reused when the batch is finished. */
export const openBatch = (
  maxRows: number,
  events: CopyWriter = makeCopyWriter(),
  results: CopyWriter = makeCopyWriter(0),
): OpenBatch => ({
  events,
  results,
  columns: openColumns(maxRows),
  offsets: new Uint32Array(maxRows + 1),
  blockOfRow: new Uint32Array(maxRows),
  resultOffsets: [0],
  resultRows: [],
  rows: 0,
})

function writeResult(results: CopyWriter, { workspaceId, startUs, event }: EventRow): void {
  if (event.encrypted === null) return
  results.startRow(resultColumnNames.length)
  results.bytes(workspaceId)
  results.timestamp(startUs)
  results.hex(event.traceId)
  results.hex(event.spanId)
  results.bytes(event.encrypted.ciphertext)
  results.bytes(event.encrypted.iv)
  results.bytes(event.encrypted.tag)
}

/** Appends the rows of one event. If it throws, no row of the event is kept. */
export function addToBatch(batch: OpenBatch, row: EventRow): void {
  const { events, results, offsets, resultOffsets } = batch
  const start = offsets[batch.rows] as number
  try {
    writeEventRow(events, row)
    writeResult(results, row)
    addToColumns(batch.columns, row, events.view(), start + keyOffsets.traceId)
  } catch (error) {
    events.cutTo(start)
    results.cutTo(resultOffsets.at(-1) ?? 0)
    throw error
  }
  if (row.event.encrypted !== null) {
    resultOffsets.push(results.length())
    batch.resultRows.push(batch.rows)
  }
  batch.blockOfRow[batch.rows] = row.payload.block
  batch.rows++
  offsets[batch.rows] = events.length()
}

export const finishBatch = (batch: OpenBatch): Omit<DecodedBatch, 'repeats' | 'blocks' | 'blockOffsets'> => ({
  rows: batch.events.finish(),
  offsets: batch.offsets.slice(0, batch.rows + 1),
  columns: finishColumns(batch.columns),
  blockOfRow: batch.blockOfRow.slice(0, batch.rows),
  results: batch.results.finish(),
  resultOffsets: Uint32Array.from(batch.resultOffsets),
  resultRows: Uint32Array.from(batch.resultRows),
})

/** Returns the batch of a request whose spans are all stored already. */
export const makeRepeatedBatch = (spans: number): DecodedBatch => ({
  ...finishBatch(openBatch(0)),
  repeats: spans,
  blocks: new Uint8Array(0),
  blockOffsets: Uint32Array.of(0),
})

/** Returns the buffers of a batch, for their transfer to another thread. */
export function listBuffers(batch: DecodedBatch): ArrayBuffer[] {
  const { rows, offsets, blocks, blockOffsets, blockOfRow, results, resultOffsets, resultRows } = batch
  const views = [rows, offsets, blocks, blockOffsets, blockOfRow, results, resultOffsets, resultRows]
  return [...views.map(({ buffer }) => buffer), columnBuffer(batch.columns)]
}
