import test from 'ava'
import {
  addNumber,
  addRenumbered,
  countNumbers,
  listNumbers,
  type NumberSet,
  renumberSet,
} from '../../src/sketches/number-set.ts'
import { makeRandom } from '../_kit/random.ts'

const list = (set: NumberSet): number[] => {
  const into = [7]
  listNumbers(set, into)
  return into
}

test('a set of numbers is that of plain code, also under other numbers', (t) => {
  const random = makeRandom(1)
  for (const below of [1, 31, 33, 5_000, 100_000]) {
    const set: NumberSet = []
    const plain = new Set<number>()
    for (let nth = 0; nth < 2_000; nth++) {
      const number = random.int(below)
      addNumber(set, number)
      plain.add(number)
    }
    t.deepEqual(
      list(set),
      [...plain].sort((a, b) => a - b),
    )
    t.is(countNumbers(set), plain.size)
    const other: NumberSet = []
    addNumber(other, 3)
    const names = Array.from({ length: below }, (_, number) => below - 1 - number)
    addRenumbered(other, set, names)
    const renumbered = new Set([3, ...[...plain].map((number) => below - 1 - number)])
    t.deepEqual(
      list(other),
      [...renumbered].sort((a, b) => a - b),
    )
    renumberSet(set, names)
    renumbered.delete(3)
    if (plain.has(below - 4)) renumbered.add(3)
    t.deepEqual(
      list(set),
      [...renumbered].sort((a, b) => a - b),
    )
  }
  t.deepEqual(list([]), [])
})
