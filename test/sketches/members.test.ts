import test from 'ava'
import { makeMembers, numberOf } from '../../src/sketches/members.ts'
import { addMembers } from '../../src/sketches/sets.ts'
import { findGrowthFault, leastCpuMs } from '../_kit/looks.ts'
import { makeRandom } from '../_kit/random.ts'

test('members are numbered as they come, and each keeps its number', (t) => {
  const random = makeRandom(1)
  for (const count of [1, 8, 9, 3_000]) {
    const members = makeMembers()
    const known = new Map<number, number>()
    // Some hashes spread out, some with equal leading bits, so that probing continues to the next index; and zero.
    const draw = (): number => random.pick([random.int(2 ** 48), random.int(40), 7 * 2 ** 16 + random.int(40), 0])
    for (let nth = 0; nth < count; nth++) {
      const hash = draw()
      const number = known.get(hash) ?? known.size
      known.set(hash, number)
      t.is(numberOf(members, hash), number)
      t.is(numberOf(members, hash), number)
    }
    t.deepEqual(members.hashes, [...known.keys()])
  }
})

test('sorted members, as stored sets have, are added in linear time', (t) => {
  const sorted = (count: number): Float64Array =>
    Float64Array.from({ length: count }, (_, at) => (at * 2 ** 48) / count)
  t.is(
    findGrowthFault((count) => addMembers(makeMembers(), sorted(count)), 96_000),
    null,
  )
  // The control: a table that grows on the way.
  const addAlone = (count: number): void => {
    const members = makeMembers()
    for (const hash of sorted(count)) numberOf(members, hash)
  }
  const aloneMs = leastCpuMs(() => addAlone(48_000), Number.POSITIVE_INFINITY)
  t.true(aloneMs > 10 * leastCpuMs(() => addMembers(makeMembers(), sorted(48_000))))
})
