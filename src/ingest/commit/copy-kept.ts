// Writes the kept rows, their payload blocks and their tool results by binary COPY.
import { resultColumnNames } from '../../decode/batch-writer.ts'
import { blockColumnNames } from '../../encode/payload-blocks.ts'
import { eventColumnNames, keyOffsets } from '../../encode/row.ts'
import type { Tx } from '../../store/database.ts'
import { eachKept, rowStatus, type Work } from './batch-slice.ts'
import { inKeyOrder } from './drop-repeats.ts'
import { type AgentsOfWork, agentOf } from './lock-or-create-agents.ts'

const copyInto = (table: string, columns: readonly string[]): string =>
  `copy ${table} (${columns.join(', ')}) from stdin (format binary)`
const copyEvents = copyInto('events', eventColumnNames)
const copyBlocks = copyInto('payload_blocks', blockColumnNames)
const copyResults = copyInto('tool_results', resultColumnNames)
// Signature, flags and header extension as in the PostgreSQL manual ("Binary Format"); −1 ends the file.
const header = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const trailer = Buffer.from([0xff, 0xff])

/**
 * Returns the copied blocks of each work. Bytes go to the socket straight from the decoded buffers; only a batch that lost rows is
 * compacted.
 */
export function copyKept(tx: Tx, works: readonly Work[], agents: AgentsOfWork): Map<Work, number[]> {
  const ordered = inKeyOrder(works)
  for (const work of ordered) writeAgents(work, agents)
  copy(tx, copyEvents, ordered.map(cutRows))
  const blocks = new Map(ordered.map((work) => [work, listBlocks(work)]))
  copy(
    tx,
    copyBlocks,
    ordered.map(({ batch }, at) => cut(batch.blocks, batch.blockOffsets, blocks.get(ordered[at] as Work) ?? [])),
  )
  copy(tx, copyResults, ordered.map(cutResults))
  return blocks
}

function copy(tx: Tx, statement: string, parts: readonly Uint8Array[]): void {
  const filled = parts.filter(({ byteLength }) => byteLength > 0)
  if (filled.length > 0) tx.copy(statement, [header, ...filled, trailer])
}

const idBytes = 16

function writeAgents(work: Work, agents: AgentsOfWork): void {
  const { rows, offsets, columns } = work.batch
  const view = new DataView(rows.buffer, rows.byteOffset, rows.byteLength)
  const ids: (DataView | undefined)[] = Array.from({ length: columns.texts.length })
  eachKept(work, (row) => {
    const place = columns.agent[row] as number
    const id = ids[place] ?? viewOf(agentOf(agents, work, row).idBytes)
    ids[place] = id
    const at = (offsets[row] as number) + keyOffsets.agentId
    for (let byte = 0; byte < idBytes; byte += 4) view.setUint32(at + byte, id.getUint32(byte))
  })
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function cutRows(work: Work): Uint8Array {
  const { batch, from, to, rowStatuses: fate } = work
  if (fate.subarray(from, to).every((one) => one === rowStatus.kept))
    return batch.rows.subarray(batch.offsets[from], batch.offsets[to])
  const rows: number[] = []
  eachKept(work, (row) => rows.push(row))
  return cut(batch.rows, batch.offsets, rows)
}

/** Blocks that a kept row refers to and that no earlier slice of the batch has stored, in ascending order. */
function listBlocks(work: Work): number[] {
  const blocks: number[] = []
  eachKept(work, (row) => {
    const block = work.batch.blockOfRow[row] as number
    if (block !== blocks.at(-1) && !work.storedBlocks.has(block)) blocks.push(block)
  })
  return [...new Set(blocks)].sort((a, b) => a - b)
}

function cutResults(work: Work): Uint8Array {
  const { results, resultOffsets, resultRows } = work.batch
  const places: number[] = []
  for (const [place, row] of resultRows.entries()) {
    if (row >= work.from && row < work.to && work.rowStatuses[row] === rowStatus.kept) places.push(place)
  }
  return cut(results, resultOffsets, places)
}

/** Returns the items at these ascending indices: a view of the buffer if they are contiguous, otherwise a compacted copy. */
function cut(bytes: Uint8Array, offsets: Uint32Array, places: readonly number[]): Uint8Array {
  const first = places[0]
  const last = places.at(-1)
  if (first === undefined || last === undefined) return bytes.subarray(0, 0)
  if (last - first + 1 === places.length) return bytes.subarray(offsets[first], offsets[last + 1])
  const size = places.reduce((sum, at) => sum + (offsets[at + 1] as number) - (offsets[at] as number), 0)
  const joined = new Uint8Array(size)
  let end = 0
  for (let at = 0; at < places.length; ) {
    let next = at + 1
    while (places[next] === (places[next - 1] as number) + 1) next++
    const run = bytes.subarray(offsets[places[at] as number], offsets[(places[next - 1] as number) + 1])
    joined.set(run, end)
    end += run.byteLength
    at = next
  }
  return joined
}
