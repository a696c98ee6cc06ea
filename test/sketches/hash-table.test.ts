import test from 'ava'
import { clearHashTable, eachHash, insertHash, makeHashTable } from '../../src/sketches/hash-table.ts'
import { makeRandom } from '../_kit/random.ts'

const listOf = (table: ReturnType<typeof makeHashTable>): number[] => {
  const found: number[] = []
  eachHash(table, (hash) => found.push(hash))
  return found.sort((a, b) => a - b)
}

test('a table detects new hashes as a set does, and is empty after it was cleared', (t) => {
  const random = makeRandom(1)
  const table = makeHashTable()
  for (let round = 0; round < 5; round++) {
    const set = new Set<number>()
    // Some hashes spread out, some crowded at either end, where probing continues to the next index.
    const draw = (): number => random.pick([random.int(2 ** 32), random.int(40), 2 ** 32 - 1 - random.int(40)])
    for (let nth = 0; nth < 1_000 * round + 10; nth++) {
      const hash = draw()
      t.is(insertHash(table, hash), !set.has(hash))
      set.add(hash)
    }
    t.deepEqual(
      listOf(table),
      [...set].sort((a, b) => a - b),
    )
    clearHashTable(table)
    t.deepEqual(listOf(table), [])
  }
})

test('zero is a hash like any other', (t) => {
  const table = makeHashTable()
  t.true(insertHash(table, 0))
  t.false(insertHash(table, 0))
  t.deepEqual(listOf(table), [0])
  clearHashTable(table)
  t.deepEqual(listOf(table), [])
})

test('tables that were made empty share nothing', (t) => {
  const [one, other] = [makeHashTable(), makeHashTable()]
  insertHash(one, 7)
  t.deepEqual([listOf(one), listOf(other), listOf(makeHashTable())], [[7], [], []])
  insertHash(other, 9)
  t.deepEqual([listOf(one), listOf(other)], [[7], [9]])
})
