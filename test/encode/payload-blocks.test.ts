// Which spans of a request share a block.
import test from 'ava'
import { openPayloadBlocks } from '../../src/encode/payload-blocks.ts'
import { readCopyRows } from '../_kit/copy-rows.ts'

const hourUs = 3_600_000_000
const nowUs = 1_790_000_000_000_000
/** The columns hold microseconds since 2000. */
const epochUs = 946_684_800_000_000

const around = { resource: new Uint8Array(), scope: new Uint8Array() }

/** Returns the block of each span, by the hours before now at which they start, and the same hours of the start time of each block. */
function store(hoursAgo: readonly number[]): { readonly blockOf: number[]; readonly blockHoursAgo: number[] } {
  const blocks = openPayloadBlocks(new Uint8Array(16))
  blocks.begin(new Uint8Array(16))
  const blockOf = hoursAgo.map((hours) => blocks.add(new Uint8Array(4), around, nowUs - hours * hourUs).block)
  const stored = blocks.finish()
  const rows = readCopyRows(stored.blocks, stored.blockOffsets)
  const startOf = (row: (typeof rows)[number]): number => Number((row[2] as Buffer).readBigInt64BE()) + epochUs
  return { blockOf, blockHoursAgo: rows.map((row) => (nowUs - startOf(row)) / hourUs) }
}

test('spans that start within a day share a block, which has the start of the latest', (t) => {
  t.deepEqual(store([24, 0, 12, 24]), { blockOf: [0, 0, 0, 0], blockHoursAgo: [0] })
})

test('spans that start more than a day apart share no block: the older one would be kept as long as the other', (t) => {
  t.deepEqual(store([0, 25, 150, 149]), { blockOf: [0, 1, 2, 2], blockHoursAgo: [0, 25, 149] })
  t.deepEqual(store([12, 0, 24.5]), { blockOf: [0, 0, 1], blockHoursAgo: [0, 24.5] }, 'from the latest')
  t.deepEqual(store([12, 24, -0.5]), { blockOf: [0, 0, 1], blockHoursAgo: [12, -0.5] }, 'from the earliest')
})

test('starts that jump to and fro do not make a block of each span: it would repeat the whole resource', (t) => {
  const alternating = Array.from({ length: 200 }, (_, nth) => (nth % 2) * 48)
  const { blockHoursAgo } = store(alternating)
  t.is(blockHoursAgo.length, 65)
  t.is(blockHoursAgo.at(-1), 0)
})
