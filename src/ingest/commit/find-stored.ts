// Finds the spans of a group that are already stored, before anything is written.
import { keyOffsets } from '../../encode/row.ts'
import { elementsOffset, openArrayParam } from '../../store/array-param.ts'
import type { Tx } from '../../store/database.ts'
import type { Batch } from '../batch.ts'
import { rowStatus, type Work } from './batch-slice.ts'

/** The rows of one slice to look up. */
type Asked = { readonly work: Work; readonly rows: readonly number[] }

// A request that is sent again contains the same spans, so a sample of them suffices.
const sampleStep = 16

/**
 * Marks the rows that are already stored as duplicates. Looks up all rows of likely duplicates, and of every other slice a sample, then all
 * its rows if a row of the sample is stored. A duplicate that the sample misses violates the primary key, and the whole transaction is
 * retried with every slice as a likely duplicate. Returns the slices with stored rows. One or two round trips; about 2.5 µs in the database
 * for each row that is looked up.
 */
export async function markStored(
  tx: Tx,
  works: readonly Work[],
  isLikelyDuplicate: (work: Work) => boolean,
): Promise<Work[]> {
  if (works.length === 0) return []
  const sampled = works.filter((work) => !isLikelyDuplicate(work))
  const found = new Set(
    await ask(
      tx,
      works.map((work) => (sampled.includes(work) ? sampleOf(work) : allOf(work))),
    ),
  )
  const missed = sampled.filter((work) => found.has(work))
  if (missed.length > 0) await ask(tx, missed.map(allOf))
  return [...found]
}

const allOf = (work: Work): Asked => ({
  work,
  rows: Array.from({ length: work.to - work.from }, (_, nth) => work.from + nth),
})

/** Returns the first row, the last row, and every 16th between them. */
function sampleOf(work: Work): Asked {
  const rows: number[] = []
  for (let row = work.from; row < work.to - 1; row += sampleStep) rows.push(row)
  if (work.from < work.to) rows.push(work.to - 1)
  return { work, rows }
}

const lengthBytes = 4

/** The key fields as they are stored in a row, each preceded by its length. An array parameter has the same layout. */
const keyFields = [
  { element: 'uuid', from: keyOffsets.workspaceId - lengthBytes, words: 5 },
  { element: 'timestamptz', from: keyOffsets.startTime - lengthBytes, words: 3 },
  { element: 'bytea', from: keyOffsets.traceId - lengthBytes, words: 5 },
  { element: 'bytea', from: keyOffsets.spanId - lengthBytes, words: 3 },
] as const

/** Marks the rows that are found, and returns the slices that contain any. */
async function ask(tx: Tx, asked: readonly Asked[]): Promise<Work[]> {
  const keys = keyFields.map((field) => gatherField(asked, field))
  const answer = await tx.row<{ places: string | null }>('ingest/find-stored', [...keys, ...findBounds(asked)])
  if (answer === null || answer.places === null) return []
  const found = Uint32Array.from(answer.places.split(','), Number).sort()
  const hit: Work[] = []
  let next = 0
  // The position of the row among all rows that were looked up, from 1.
  let place = 0
  for (const { work, rows } of asked) {
    const before = next
    for (const row of rows) {
      place++
      if (found[next] !== place) continue
      work.rowStatuses[row] = rowStatus.duplicate
      next++
    }
    if (next > before) hit.push(work)
  }
  return hit
}

function gatherField(asked: readonly Asked[], field: (typeof keyFields)[number]): Buffer {
  const count = asked.reduce((sum, { rows }) => sum + rows.length, 0)
  const array = openArrayParam(field.element, count, count * field.words * 4)
  const target = new DataView(array.buffer, array.byteOffset, array.byteLength)
  let at = elementsOffset
  for (const { work, rows } of asked) {
    const { batch } = work
    const source = new DataView(batch.rows.buffer, batch.rows.byteOffset, batch.rows.byteLength)
    for (const row of rows) {
      let offset = (batch.offsets[row] as number) + field.from
      for (let word = 0; word < field.words; word++) {
        target.setUint32(at, source.getUint32(offset))
        at += 4
        offset += 4
      }
    }
  }
  return array
}

/** Returns the first and the last start time in the format of a row, so that only the chunks of this period are read. */
function findBounds(asked: readonly Asked[]): readonly [Buffer, Buffer] {
  let first: Buffer | null = null
  let last: Buffer | null = null
  let firstUs = Number.POSITIVE_INFINITY
  let lastUs = Number.NEGATIVE_INFINITY
  for (const { work, rows } of asked) {
    const { batch } = work
    for (const row of rows) {
      const startUs = batch.columns.startUs[row] as number
      if (startUs < firstUs) {
        firstUs = startUs
        first = startOf(batch, row)
      }
      if (startUs > lastUs) {
        lastUs = startUs
        last = startOf(batch, row)
      }
    }
  }
  if (first === null || last === null) throw new Error('the lookup of stored spans was called without rows')
  return [first, last]
}

function startOf({ rows, offsets }: Batch, row: number): Buffer {
  return Buffer.from(rows.buffer, rows.byteOffset + (offsets[row] as number) + keyOffsets.startTime, 8)
}
