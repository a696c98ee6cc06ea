import test from 'ava'
import { makePartitionTable } from '../../src/actors/partition-table.ts'

test('a message raises an epoch and never lowers it', (t) => {
  const table = makePartitionTable()
  t.is(table.hearOwned(3, 2, 'a', 'a1'), 'changed')
  t.is(table.hearOwned(3, 2, 'a', 'a1'), 'known')
  t.is(table.hearOwned(3, 1, 'b', 'b1'), 'known')
  t.deepEqual(table.get(3), { epoch: 2, owner: 'a', boot: 'a1' })
  t.is(table.hearOwned(3, 4, 'b', 'b1'), 'changed')
  t.is(table.hearFree(3, 3, 'a1'), 'known')
  t.deepEqual(table.get(3), { epoch: 4, owner: 'b', boot: 'b1' })
})

test('a partition that was given up is not owned again at the same epoch, whatever comes late', (t) => {
  const table = makePartitionTable()
  table.hearOwned(3, 2, 'a', 'a1')
  t.is(table.hearFree(3, 2, 'a1'), 'changed')
  t.is(table.hearFree(3, 2, 'a1'), 'known')
  t.is(table.hearOwned(3, 2, 'a', 'a1'), 'known')
  t.deepEqual(table.get(3), { epoch: 2, owner: null, boot: null })
  t.is(table.hearFree(4, 7, 'a1'), 'changed', 'of an ownership that was not heard of')
  t.is(table.get(4).epoch, 7)
})

test('two starts at one epoch are a conflict that is not decided here', (t) => {
  const table = makePartitionTable()
  table.hearOwned(3, 2, 'a', 'a1')
  t.is(table.hearOwned(3, 2, 'a', 'a2'), 'conflict')
  t.is(table.hearFree(3, 2, 'b1'), 'conflict')
  t.deepEqual(table.get(3), { epoch: 2, owner: 'a', boot: 'a1' })
})

test('older epochs in the database are accepted, unless a message arrived during the read', (t) => {
  const table = makePartitionTable()
  table.hearOwned(3, 5, 'a', 'a1')
  table.hearOwned(4, 5, 'a', 'a1')
  const mark = table.mark()
  table.hearOwned(4, 6, 'b', 'b1')
  const row = { epoch: 2, owner: null, boot: null }
  t.deepEqual(
    table.take(
      [
        { pid: 3, ...row },
        { pid: 4, ...row },
        { pid: 5, epoch: 0, owner: null, boot: null },
      ],
      mark,
    ),
    [3],
  )
  t.deepEqual(table.get(3), row)
  t.is(table.get(4).epoch, 6)
  t.is(table.highest(3), 5, 'new epochs have to be above')
})
