import test from 'ava'
import { isUuid, makeUuidV7 } from '../../src/base/ids.ts'

const nowMs = Date.UTC(2026, 10, 23)
const make = (count: number, ms: number = nowMs): string[] => Array.from({ length: count }, () => makeUuidV7(ms))

test('an id is a UUIDv7 of its millisecond', (t) => {
  const id = makeUuidV7(nowMs)
  t.true(isUuid(id))
  t.regex(id, /^.{14}7.{4}[89ab]/)
  t.is(Number.parseInt(id.replace('-', '').slice(0, 12), 16), nowMs)
})

test('ids of one millisecond sort in the order in which they were made, and differ where there are more than can', (t) => {
  make(1, nowMs - 1)
  const ids = make(10_000)
  t.deepEqual(ids.slice(0, 2_048).toSorted(), ids.slice(0, 2_048))
  t.is(new Set(ids).size, ids.length)
})

test('after the clock was set back, ids have the earlier time', (t) => {
  const [later, earlier] = [makeUuidV7(nowMs + 5), makeUuidV7(nowMs)]
  t.true(earlier < later)
  t.is(Number.parseInt(earlier.replace('-', '').slice(0, 12), 16), nowMs)
})

test('one of two ids of the same millisecond does not reveal the other: 62 bits are random', (t) => {
  const tails = make(1_000).map((id) => id.slice(20))
  t.is(new Set(tails).size, tails.length)
})
