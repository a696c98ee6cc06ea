import test from 'ava'
import { partitionCount, partitionOf } from '../../src/actors/partition.ts'
import { makeUuidV7 } from '../../src/base/ids.ts'

test('a workspace stays in the partition that the first release gave it', (t) => {
  t.is(partitionOf('01890000-0000-7000-8000-000000000001'), 22)
  t.is(partitionOf('01890000-0000-7000-8000-00000000000A'), partitionOf('01890000-0000-7000-8000-00000000000a'))
})

test('ids made in the same moment spread over all partitions', (t) => {
  const counts = new Map<number, number>()
  for (let n = 0; n < 12_800; n += 1) {
    const partition = partitionOf(makeUuidV7(1_700_000_000_000))
    counts.set(partition, (counts.get(partition) ?? 0) + 1)
  }
  t.is(counts.size, partitionCount)
  t.true(Math.max(...counts.values()) < 200)
})
