// Which of a group's spans are stored already, found out before anything is written.
import { keyOffsets } from '../../otlp/rows/row.ts'
import { elementsOffset, openArrayParam } from '../../store/array-param.ts'
import type { Tx } from '../../store/database.ts'
import type { Batch } from '../batch.ts'
import { fates, type Work } from './piece.ts'

/** Rows of one piece that are asked about. */
type Asked = { readonly work: Work; readonly rows: readonly number[] }

// A request that is sent again holds the same spans, so that some of them tell enough.
const sampleStep = 16

/**
 * Marks the rows that are stored as duplicates. All rows of the suspects are asked about, of the other pieces a sample, and all
 * where one of it is stored: what slips through meets the primary key, and the whole transaction is tried again with everybody
 * suspect. Gives the pieces in which one was found. One round trip, or two; about 2.5 µs a row in the database for those
 * that are asked about.
 */
export async function markStored(tx: Tx, works: readonly Work[], isSuspect: (work: Work) => boolean): Promise<Work[]> {
  if (works.length === 0) return []
  const sampled = works.filter((work) => !isSuspect(work))
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

/** The first, the last, and some between. */
function sampleOf(work: Work): Asked {
  const rows: number[] = []
  for (let row = work.from; row < work.to - 1; row += sampleStep) rows.push(row)
  if (work.from < work.to) rows.push(work.to - 1)
  return { work, rows }
}

const lengthBytes = 4

/** The fields of the key as they stand in a row, each with its length before it, which is just what an array holds. */
const keyFields = [
  { element: 'uuid', from: keyOffsets.workspaceId - lengthBytes, words: 5 },
  { element: 'timestamptz', from: keyOffsets.startTime - lengthBytes, words: 3 },
  { element: 'bytea', from: keyOffsets.traceId - lengthBytes, words: 5 },
  { element: 'bytea', from: keyOffsets.spanId - lengthBytes, words: 3 },
] as const

/** Marks what is found and gives the pieces where that is the case. */
async function ask(tx: Tx, asked: readonly Asked[]): Promise<Work[]> {
  const keys = keyFields.map((field) => gatherField(asked, field))
  const answer = await tx.row<{ places: string | null }>('ingest/find-stored', [...keys, ...findBounds(asked)])
  if (answer === null || answer.places === null) return []
  const found = Uint32Array.from(answer.places.split(','), Number).sort()
  const hit: Work[] = []
  let next = 0
  // Counted from 1, over all that was asked.
  let place = 0
  for (const { work, rows } of asked) {
    const before = next
    for (const row of rows) {
      place++
      if (found[next] !== place) continue
      work.fates[row] = fates.duplicate
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

/** The first and the last start, as a row writes them: so that of a table in chunks only those of this time are looked at. */
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
