import test from 'ava'
import {
  decodeHeartbeat,
  decodeRouteNews,
  encodeHeartbeat,
  encodeRouteNews,
  isMemberName,
} from '../../src/actors/heartbeat.ts'

const heartbeat = {
  member: 'actor-0',
  boot: 'a1b2c3',
  sentAtMs: 12.5,
  ready: true,
  draining: false,
  pgOk: true,
  pgAnswers: true,
  owned: [
    [0, 1],
    [127, 9_000_000],
  ] as const,
}
const news = { member: 'actor-0', boot: 'a1b2c3', free: true, parts: [[5, 6]] as const }
const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

test('an encoded message is decoded as it was', (t) => {
  t.deepEqual(decodeHeartbeat(encodeHeartbeat(heartbeat)), heartbeat)
  t.deepEqual(decodeRouteNews(encodeRouteNews(news)), news)
})

test('a heartbeat that owns everything takes less than 2 KiB', (t) => {
  const owned = Array.from({ length: 128 }, (_, pid) => [pid, 123_456] as const)
  t.true(encodeHeartbeat({ ...heartbeat, owned }).byteLength < 2_048)
})

test('fields of a newer release are ignored', (t) => {
  t.deepEqual(decodeHeartbeat(bytes({ v: 2, ...heartbeat, load: 0.5 })), heartbeat)
})

test('a heartbeat of an earlier release has only one field about the database', (t) => {
  const { pgAnswers: _, ...earlier } = heartbeat
  for (const pgOk of [true, false]) t.is(decodeHeartbeat(bytes({ v: 1, ...earlier, pgOk }))?.pgAnswers, pgOk)
})

test('malformed messages are decoded as null', (t) => {
  const wrong: unknown[] = [
    null,
    [],
    {},
    { ...heartbeat, member: 'a.b' },
    { ...heartbeat, member: '' },
    { ...heartbeat, boot: 7 },
    { ...heartbeat, sentAtMs: 'now' },
    { ...heartbeat, owned: {} },
    { ...heartbeat, owned: [[128, 1]] },
    { ...heartbeat, owned: [[-1, 1]] },
    { ...heartbeat, owned: [[1, 1.5]] },
    { ...heartbeat, owned: [1] },
    { ...heartbeat, owned: Array.from({ length: 129 }, () => [1, 1]) },
  ]
  for (const value of wrong) t.is(decodeHeartbeat(bytes(value)), null, JSON.stringify(value))
  t.is(decodeRouteNews(bytes({ ...news, parts: [[5]] })), null)
  t.is(decodeHeartbeat(Buffer.from('{')), null)
})

test('a member name is one word of a subject', (t) => {
  t.true(isMemberName('actor-0'))
  for (const text of ['', 'a b', 'a.b', '*', '>', 'x'.repeat(65), 7]) t.false(isMemberName(text))
})
