// Floor 1. The rows of one request: of events, of the tool results that some of them carry, and what counting needs of each.
import { type CopyWriter, makeCopyWriter } from './copy-writer.ts'
import type { DecodedBatch } from './decode-task.ts'
import { listColumnBuffers, openColumnWriter } from './event-columns.ts'
import { type EventRow, keyOffsets, writeEventRow } from './row.ts'

export type BatchWriter = {
  /** Appends the rows of one event. Where it throws, nothing of the event is kept. */
  add(row: EventRow): void
  finish(): Omit<DecodedBatch, 'repeats' | 'blocks' | 'blockOffsets'>
}

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

/** For one request at a time; `events` and `results` are empty, and may be used again once it is finished. */
export function openBatchWriter(
  maxRows: number,
  events: CopyWriter = makeCopyWriter(),
  results: CopyWriter = makeCopyWriter(0),
): BatchWriter {
  const columns = openColumnWriter(maxRows)
  const offsets = new Uint32Array(maxRows + 1)
  const blockOfRow = new Uint32Array(maxRows)
  const resultOffsets = [0]
  const resultRows: number[] = []
  let rows = 0

  function writeResult({ workspaceId, startUs, event }: EventRow): void {
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

  return {
    add(row) {
      const start = offsets[rows] as number
      try {
        writeEventRow(events, row)
        writeResult(row)
        columns.add(row, events.view(), start + keyOffsets.traceId)
      } catch (error) {
        events.cutTo(start)
        results.cutTo(resultOffsets.at(-1) ?? 0)
        throw error
      }
      if (row.event.encrypted !== null) {
        resultOffsets.push(results.length())
        resultRows.push(rows)
      }
      blockOfRow[rows] = row.payload.block
      rows++
      offsets[rows] = events.length()
    },
    finish: () => ({
      rows: events.finish(),
      offsets: offsets.slice(0, rows + 1),
      columns: columns.finish(),
      blockOfRow: blockOfRow.slice(0, rows),
      results: results.finish(),
      resultOffsets: Uint32Array.from(resultOffsets),
      resultRows: Uint32Array.from(resultRows),
    }),
  }
}

/** A batch whose spans are all known to be stored. */
export const makeRepeatedBatch = (spans: number): DecodedBatch => ({
  ...openBatchWriter(0).finish(),
  repeats: spans,
  blocks: new Uint8Array(0),
  blockOffsets: Uint32Array.of(0),
})

/** The buffers of a batch, to be moved to another thread. */
export function listBuffers(batch: DecodedBatch): ArrayBuffer[] {
  const { rows, offsets, blocks, blockOffsets, blockOfRow, results, resultOffsets, resultRows } = batch
  const views = [rows, offsets, blocks, blockOffsets, blockOfRow, results, resultOffsets, resultRows]
  return [...views.map(({ buffer }) => buffer), ...listColumnBuffers(batch.columns)]
}
