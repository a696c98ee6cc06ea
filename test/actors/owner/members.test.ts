import test from 'ava'
import type { Heartbeat } from '../../../src/actors/heartbeat.ts'
import { makeClusterMembers } from '../../../src/actors/owner/members.ts'

const beat = (boot: string, said: Partial<Heartbeat> = {}): Heartbeat => ({
  member: boot.replace(/\d+$/, ''),
  boot,
  sentAtMs: 0,
  ready: true,
  draining: false,
  pgOk: true,
  pgAnswers: true,
  owned: [],
  ...said,
})

test('a member counts as alive for 5 s after its last heartbeat', (t) => {
  const members = makeClusterMembers()
  members.hear(beat('a1'), 1_000)
  t.true(members.isLive('a1', 5_999))
  t.false(members.isLive('a1', 6_000))
  t.false(members.isLive('a2', 1_000), 'another start was not heard')
})

test('an owner that is only known from the database counts as alive for 5 s, once', (t) => {
  const members = makeClusterMembers()
  members.note('a', 'a1', 1_000)
  members.note('a', 'a1', 4_000)
  t.true(members.isLive('a1', 5_999))
  t.false(members.isLive('a1', 6_000))
  t.deepEqual(members.standing(1_000).names, [])
})

test('a member that was declared dead stays dead until its next heartbeat', (t) => {
  const members = makeClusterMembers()
  members.hear(beat('a1'), 0)
  members.markDead('a1')
  members.note('a', 'a1', 10)
  members.excuse(Number.POSITIVE_INFINITY, 20)
  t.false(members.isLive('a1', 30))
  members.hear(beat('a1'), 40)
  t.true(members.isLive('a1', 50))
})

test('time in which this process received nothing does not count as silence of the others', (t) => {
  const members = makeClusterMembers()
  members.hear(beat('a1', { pgOk: false }), 0)
  members.excuse(700, 1_600)
  t.true(members.isLive('a1', 5_699))
  t.false(members.isLive('a1', 5_700))
  t.true(members.canOwn('a1', 5_699))
  members.excuse(Number.POSITIVE_INFINITY, 60_000)
  t.true(members.canOwn('a1', 64_999))
  t.false(members.isLive('a1', 65_000))
})

test('only members that are ready, reach the database and are not leaving get partitions', (t) => {
  const members = makeClusterMembers()
  members.hear(beat('a1'), 0)
  members.hear(beat('b1', { ready: false }), 0)
  members.hear(beat('c1', { pgOk: false }), 0)
  members.hear(beat('d1', { draining: true }), 0)
  members.hear(beat('e1'), 0)
  t.deepEqual(members.standing(0).names, ['a', 'e'])
})

test('the members are the same since the last one came or went; a restart under the same name is no change', (t) => {
  const members = makeClusterMembers()
  members.hear(beat('a1'), 100)
  members.hear(beat('b1'), 200)
  t.is(members.standing(250).sinceMs, 250)
  members.hear(beat('a1'), 1_000)
  members.hear(beat('b2'), 1_000)
  const { names } = members.standing(3_000)
  t.is(members.standing(5_500).sinceMs, 250)
  t.is(members.standing(5_500).names, names)
  t.is(members.standing(6_100).sinceMs, 6_100)
})

test('a member without a database keeps its partitions for 10 s, counted again if this process had no database either', (t) => {
  const members = makeClusterMembers()
  for (let atMs = 0; atMs <= 20_000; atMs += 1_000) members.hear(beat('a1', { pgOk: false }), atMs)
  t.false(members.canOwn('a1', 20_000))
  members.excuseDatabases(20_000)
  t.true(members.canOwn('a1', 20_001))
  for (let atMs = 21_000; atMs <= 30_000; atMs += 1_000) members.hear(beat('a1', { pgOk: false }), atMs)
  t.false(members.canOwn('a1', 30_000))
  members.hear(beat('a1'), 30_001)
  t.true(members.canOwn('a1', 30_002))
})

test('dead members are removed once nothing refers to them', (t) => {
  const members = makeClusterMembers()
  members.hear(beat('a1'), 0)
  members.hear(beat('b1'), 0)
  members.prune((boot) => boot === 'a1', 10_000)
  t.deepEqual(
    members.list(10_000).map(({ boot }) => boot),
    ['a1'],
  )
})
