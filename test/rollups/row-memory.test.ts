// The cache of rows: found by version only, bounded, and kept for an hour at most.
import test from 'ava'
import { openRowMemory, type RowMemory, type Version } from '../../src/rollups/row-memory.ts'
import { lengthMs, type Tier, tiers } from '../../src/rollups/tiers.ts'

const mebibyte = 1_048_576
const nobody = (): void => undefined
const version: Version = { server: 1_700_000_000.25, xmin: 700 }
const startMs = Date.parse('2026-05-01T00:00:00Z')

function hold(memory: RowMemory, workspace: string, tier: Tier, ms: number, made: unknown, bytes = 1_000): void {
  const held = memory.open(workspace, { name: 'total' })
  held.add(tier, ms, { ...version, made, bytes })
  held.keep()
}

const find = (memory: RowMemory, workspace: string, tier: Tier, ms: number, as: Version = version): unknown =>
  memory.open(workspace, { name: 'total' }).find(tier, ms, as)?.made ?? null

test('a row is found only by its place, transaction, server, digest and workspace', (t) => {
  const memory = openRowMemory({ maxBytes: mebibyte, onRead: nobody })
  for (const tier of Object.values(tiers)) hold(memory, 'one', tier, startMs, `of tier ${tier}`)
  for (const tier of Object.values(tiers)) {
    t.is(find(memory, 'one', tier, startMs), `of tier ${tier}`)
    t.is(find(memory, 'one', tier, startMs + lengthMs[tier]), null)
    t.is(find(memory, 'one', tier, startMs - lengthMs[tier]), null)
    t.is(find(memory, 'one', tier, startMs, { ...version, xmin: 701 }), null)
    t.is(find(memory, 'one', tier, startMs, { ...version, server: version.server + 1e-6 }), null)
    t.is(find(memory, 'two', tier, startMs), null)
    t.is(memory.open('one', { name: 'points' }).find(tier, startMs, version), null)
  }
  const xmins = new Set<number>()
  const held = memory.open('one', { name: 'total' })
  held.listXmins(tiers.hour, { fromMs: startMs - 3_600_000, toMs: startMs }, xmins)
  t.deepEqual([...xmins], [])
  held.listXmins(tiers.hour, { fromMs: startMs - 3_600_000, toMs: startMs + 3_600_000 }, xmins)
  t.deepEqual([...xmins], [version.xmin])
})

test('a newer version replaces an older one, and rows that others added meanwhile remain', (t) => {
  const memory = openRowMemory({ maxBytes: mebibyte, onRead: nobody })
  hold(memory, 'one', tiers.hour, startMs, 'old')
  const slow = memory.open('one', { name: 'total' })
  slow.add(tiers.hour, startMs, { ...version, xmin: 800, made: 'new', bytes: 10 })
  hold(memory, 'one', tiers.hour, startMs + 3_600_000, 'of another read')
  slow.keep()
  t.is(find(memory, 'one', tiers.hour, startMs), null)
  t.is(find(memory, 'one', tiers.hour, startMs, { ...version, xmin: 800 }), 'new')
  t.is(find(memory, 'one', tiers.hour, startMs + 3_600_000), 'of another read')
})

test('the cache stays within its limit, and hours of one workspace do not evict days of another', (t) => {
  const memory = openRowMemory({ maxBytes: mebibyte, onRead: nobody })
  hold(memory, 'quiet', tiers.day, startMs, 'a day')
  for (let nth = 0; nth < 5_000; nth += 1) {
    hold(memory, 'busy', tiers.hour, startMs + nth * 3_600_000, nth, 2_000)
    if (nth % 100 === 0) {
      memory.keepSum('busy', { name: `sum ${nth}`, parts: [{}, {}] }, { made: nth, bytes: 50_000 })
    }
    t.true(memory.bytes() <= mebibyte)
  }
  t.true(memory.bytes() > mebibyte / 3)
  t.is(find(memory, 'quiet', tiers.day, startMs), 'a day')
  t.is(find(memory, 'busy', tiers.hour, startMs), null)
  hold(memory, 'busy', tiers.hour, startMs, 'more than all the room', 2 * mebibyte)
  t.is(find(memory, 'busy', tiers.hour, startMs), null)
  t.true(memory.bytes() <= mebibyte)
})

test('no row is cached for longer than an hour, however often it is read or extended', (t) => {
  let nowMs = 5_000_000
  const memory = openRowMemory({ maxBytes: mebibyte, onRead: nobody, steadyMs: () => nowMs })
  hold(memory, 'one', tiers.minute, startMs, 'first')
  for (let nth = 1; nth < 6; nth += 1) {
    nowMs += 700_000
    hold(memory, 'one', tiers.minute, startMs + nth * 60_000, nth)
    t.is(find(memory, 'one', tiers.minute, startMs), 'first')
  }
  nowMs += 100_001
  t.is(find(memory, 'one', tiers.minute, startMs), null)
  hold(memory, 'one', tiers.minute, startMs, 'again')
  nowMs += 3_599_000
  t.is(find(memory, 'one', tiers.minute, startMs), 'again')
})

test('a sum is found by the same parts, and not where one of them is another', (t) => {
  const memory = openRowMemory({ maxBytes: mebibyte, onRead: nobody })
  const parts = [{}, {}, {}]
  memory.keepSum('one', { name: 'sum', parts }, { made: 1, bytes: 100 })
  const findMade = (of: object[], workspace = 'one'): unknown =>
    memory.findSum(workspace, { name: 'sum', parts: of })?.made
  t.deepEqual([findMade(parts), findMade([...parts])], [1, 1])
  t.is(findMade([parts[0] ?? {}, {}, parts[2] ?? {}]), undefined)
  t.is(findMade(parts.slice(1)), undefined)
  t.is(findMade(parts, 'two'), undefined)
  memory.keepSum('one', { name: 'sum', parts: parts.slice(1) }, { made: 2, bytes: 100 })
  t.deepEqual([findMade(parts), findMade(parts.slice(1))], [undefined, 2])
})

test('no row of a deleted workspace stays in the cache', (t) => {
  const memory = openRowMemory({ maxBytes: mebibyte, onRead: nobody })
  for (const tier of Object.values(tiers)) hold(memory, 'gone', tier, startMs, 'gone')
  const key = { name: 'sum', parts: [{}] }
  memory.keepSum('gone', key, { made: 1, bytes: 100 })
  t.true(memory.bytes() > 0)
  hold(memory, 'other', tiers.day, startMs, 'other')
  memory.forget('gone')
  for (const tier of Object.values(tiers)) t.is(find(memory, 'gone', tier, startMs), null)
  t.is(find(memory, 'other', tiers.day, startMs), 'other')
  memory.forget('other')
  t.is(memory.bytes(), 0)
  t.is(memory.findSum('gone', key), null)
})

test('a read reports how many of its rows were cached', (t) => {
  const told: number[][] = []
  const memory = openRowMemory({ maxBytes: mebibyte, onRead: (...counts) => told.push(counts) })
  hold(memory, 'one', tiers.day, startMs, 'a day')
  const held = memory.open('one', { name: 'total' })
  held.find(tiers.day, startMs, version)
  held.find(tiers.day, startMs + 86_400_000, version)
  held.keep()
  t.deepEqual(told, [
    [0, 1],
    [1, 0],
  ])
})
