import test from 'ava'
import { makeUuidV7 } from '../../src/base/ids.ts'
import type { Batch } from '../../src/ingest/batch.ts'
import { type GroupClass, openCommitQueue } from '../../src/ingest/commit-queue.ts'
import { makeBatch } from '../_kit/batch.ts'

const groupWeight = 8_000
const empty = makeBatch(makeUuidV7(), [])

/** Returns a batch with `rows` rows, and `bytes` bytes in addition to its columns. */
const makeRows = (workspaceId: string, rows: number, bytes = 0): Batch => ({
  ...empty,
  workspaceId,
  offsets: new Uint32Array(rows + 1),
  rows: new Uint8Array(bytes),
})

/** Opens a queue of names: a name identifies a batch, and its first word the workspace. */
function openQueue() {
  const queue = openCommitQueue<string>(groupWeight)
  let nowMs = 0
  return {
    queue,
    add(name: string, rows: number, bytes = 0): void {
      nowMs += 1
      queue.add(makeRows(name.split(' ')[0] as string, rows, bytes), nowMs, name)
    },
    take(groupClass: GroupClass) {
      const group = queue.takeGroup(groupClass)
      return { group, names: group.batches.map(({ caller }) => caller) }
    },
  }
}

test('a small sender shares no group with a large one, in any order of arrival', (t) => {
  const { queue, add, take } = openQueue()
  for (let nth = 0; nth < 3; nth++) add(`flood ${nth}`, 512)
  add('one', 1)
  add('two', 64)
  t.deepEqual([queue.weight('small'), queue.weight('large')], [65, 1_536])
  t.deepEqual(take('small').names, ['one', 'two'])
  t.deepEqual(take('large').names, ['flood 0', 'flood 1', 'flood 2'])
})

test('rows that are being committed count: a flood with few waiting rows is large, and a small sender stays small', (t) => {
  const { queue, add, take } = openQueue()
  add('one', 1)
  add('flood 0', 200)
  const { group } = take('small')
  add('one', 1)
  add('flood 1', 200)
  t.deepEqual([queue.weight('small'), queue.weight('large')], [1, 200])
  queue.end(group)
  t.deepEqual([queue.weight('small'), queue.weight('large')], [201, 0])
})

test('few rows with many bytes are as large as many rows', (t) => {
  const { queue, add } = openQueue()
  add('one', 10, 30_000)
  t.is(queue.weight('large'), 0)
  add('bomb', 10, 30_000_000)
  t.true(queue.weight('large') > 7_000)
})

test('large senders have equal shares of a group, whatever the size of their batches', (t) => {
  const { queue, add, take } = openQueue()
  for (let nth = 0; nth < 50; nth++) add(`flood ${nth}`, 512)
  for (let nth = 0; nth < 5; nth++) add(`other ${nth}`, 512)
  for (let nth = 0; nth < 3; nth++) add(`huge ${nth}`, 3_000)
  const { names } = take('large')
  const count = (workspace: string): number => names.filter((name) => name.startsWith(workspace)).length
  t.deepEqual([count('flood'), count('other'), count('huge')], [5, 5, 1])
  t.true(queue.weight('large') > groupWeight)
  t.deepEqual(names.slice(0, 3), ['flood 0', 'other 0', 'huge 0'], 'each in the order of its own arrival')
})

test('if a group has no room for all senders, none is skipped twice', (t) => {
  const { queue, add, take } = openQueue()
  for (let nth = 0; nth < 12; nth++) for (let turn = 0; turn < 10; turn++) add(`flood${nth} ${turn}`, 1_000)
  const served = [1, 2, 3].map(() => {
    const { group, names } = take('large')
    queue.end(group)
    return names.map((name) => name.split(' ')[0])
  })
  t.is(new Set([...(served[0] ?? []), ...(served[1] ?? [])]).size, 12)
  t.is(served.flat().length, 24)
  const all = served.flat()
  t.true(all.every((name) => all.filter((one) => one === name).length === 2))
})

test('overdue batches are taken in the order of arrival, whoever sent them', (t) => {
  const { queue, add, take } = openQueue()
  for (const name of ['one', 'flood 0', 'flood 1', 'two', 'flood 2']) add(name, name.startsWith('flood') ? 200 : 1)
  t.is(queue.oldestMs(), 1)
  t.deepEqual(
    queue.takeUntil(3).map(({ caller }) => caller),
    ['one', 'flood 0', 'flood 1'],
  )
  t.is(queue.oldestMs(), 4)
  t.deepEqual(take('small').names, ['two', 'flood 2'])
  t.is(queue.oldestMs(), null)
})

test('the sender with most memory loses its newest batches first, but not for a sender that holds as much', (t) => {
  const { queue, add } = openQueue()
  for (let nth = 0; nth < 3; nth++) add(`flood ${nth}`, 10, 100_000)
  add('one', 10, 1_000)
  const ask = (name: string, bytes: number): string | null =>
    queue.takeFromLargest(makeRows(name, 10, bytes))?.caller ?? null
  t.is(ask('flood', 1_000), null)
  t.is(ask('one', 500_000), null)
  t.is(ask('two', 1_000), 'flood 2')
  t.is(ask('one', 1_000), 'flood 1')
})

test('batches of many senders are each taken once', (t) => {
  const queue = openCommitQueue<number>(40)
  const rows = (nth: number): number => 1 + ((nth * 7) % 23)
  const count = 500
  const taken: number[] = []
  for (let nth = 0; nth < count; nth++) {
    queue.add(makeRows(`workspace-${(nth * nth) % 17}`, 1), nth, nth)
    if (nth % 5 === 0) queue.add(makeRows(`workspace-${nth % 3}`, rows(nth)), nth, count + nth)
    if (nth % 9 > 0) continue
    const group = queue.takeGroup(nth % 2 === 0 ? 'small' : 'large')
    taken.push(...group.batches.map(({ caller }) => caller))
    if (nth % 4 === 0) queue.end(group)
  }
  for (const groupClass of ['small', 'large'] as const)
    while (queue.weight(groupClass) > 0) taken.push(...queue.takeGroup(groupClass).batches.map(({ caller }) => caller))
  while (queue.weight('large') > 0) taken.push(...queue.takeGroup('large').batches.map(({ caller }) => caller))
  t.is(taken.length, count + count / 5)
  t.is(new Set(taken).size, taken.length)
  t.is(queue.oldestMs(), null)
})
