import test from 'ava'
import { makePlacement } from '../../../src/actors/owner/placement.ts'
import { partitionCount } from '../../../src/actors/partition.ts'

const pids = Array.from({ length: partitionCount }, (_, pid) => pid)
const owners = (names: readonly string[]): (string | undefined)[] => {
  const placement = makePlacement(names)
  return pids.map((pid) => placement.rank(pid)[0])
}

test('all processes that know the same members compute the same placement, in any order of discovery', (t) => {
  t.deepEqual(owners(['actor-0', 'actor-1', 'actor-2']), owners(['actor-2', 'actor-0', 'actor-1', 'actor-0']))
})

test('each member gets its fair share, more or less', (t) => {
  for (let members = 2; members <= 12; members += 1) {
    const names = Array.from({ length: members }, (_, at) => `actor-${at}`)
    const shares = Map.groupBy(owners(names), (name) => name ?? '')
    const fair = partitionCount / members
    for (const name of names) {
      const share = shares.get(name)?.length ?? 0
      t.true(share > fair / 3 && share < fair * 2, `${name} of ${members} has ${share}`)
    }
  }
})

test('a joining member takes partitions from the others and moves none between them; a leaving one does not move the rest', (t) => {
  const three = owners(['a', 'b', 'c'])
  const four = owners(['a', 'b', 'c', 'd'])
  for (const pid of pids) if (four[pid] !== 'd') t.is(four[pid], three[pid])
  t.true(four.filter((name) => name === 'd').length > 16)
})

test('the second in rank is the member that would own the partition without the first', (t) => {
  const all = makePlacement(['a', 'b', 'c'])
  for (const pid of pids) {
    const [first, ...others] = all.rank(pid)
    t.deepEqual(makePlacement(others).rank(pid), others)
    t.false(others.includes(first ?? ''))
  }
})

test('without members no partition has an owner', (t) => {
  t.deepEqual(makePlacement([]).rank(5), [])
})
