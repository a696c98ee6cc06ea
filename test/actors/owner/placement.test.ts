import test from 'ava'
import { makePlacement } from '../../../src/actors/owner/placement.ts'
import { partitionCount } from '../../../src/actors/partition.ts'

const pids = Array.from({ length: partitionCount }, (_, pid) => pid)
const owners = (names: readonly string[]): (string | undefined)[] => {
  const placement = makePlacement(names)
  return pids.map((pid) => placement.rank(pid)[0])
}

test('everyone who knows the same members comes to the same, in whatever order they were heard of', (t) => {
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

test('a member that comes takes from the others and moves nothing between them; one that goes leaves the rest where it is', (t) => {
  const three = owners(['a', 'b', 'c'])
  const four = owners(['a', 'b', 'c', 'd'])
  for (const pid of pids) if (four[pid] !== 'd') t.is(four[pid], three[pid])
  t.true(four.filter((name) => name === 'd').length > 16)
})

test('the next in rank is who would own it without the first', (t) => {
  const all = makePlacement(['a', 'b', 'c'])
  for (const pid of pids) {
    const [first, ...others] = all.rank(pid)
    t.deepEqual(makePlacement(others).rank(pid), others)
    t.false(others.includes(first ?? ''))
  }
})

test('without members nobody owns anything', (t) => {
  t.deepEqual(makePlacement([]).rank(5), [])
})
