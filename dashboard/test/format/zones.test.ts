// The pure functions of time zones, including a night in which the clocks change.
import test from 'ava'
import {
  explainTime,
  findInstant,
  formatAge,
  formatAgo,
  formatBucket,
  formatTime,
  isUuid,
  isZone,
  listZones,
  nameZone,
  readLocal,
  shortId,
  startOfDay,
  startOfMonth,
} from '../../src/format/index.ts'

const shanghai = 'Asia/Shanghai'
const newYork = 'America/New_York'
const kolkata = 'Asia/Kolkata'
const nowMs = Date.parse('2026-11-23T12:00:00Z')
const iso = (ms: number): string => new Date(ms).toISOString()

test('lists show times in a short form', (t) => {
  const time = '2026-11-20T14:03:22.481Z'
  t.is(formatTime(time, 'UTC', nowMs), 'Nov 20 14:03:22.481')
  t.is(formatTime(time, shanghai, nowMs), 'Nov 20 22:03:22.481')
  t.is(formatTime(time, kolkata, nowMs), 'Nov 20 19:33:22.481')
  t.is(formatTime(time, newYork, nowMs), 'Nov 20 09:03:22.481')
  t.is(formatTime('2025-01-02T00:00:00.007Z', 'UTC', nowMs), 'Jan 2 2025 00:00:00.007')
  t.is(formatTime('2025-12-31T18:00:00.000Z', shanghai, nowMs, 'min'), 'Jan 1 02:00', 'the year is that of the zone')
  t.is(formatTime(time, 'UTC', nowMs, 's'), 'Nov 20 14:03:22')
  t.is(formatTime(time, 'UTC', nowMs, 'day'), 'Nov 20')
  t.throws(() => formatTime('yesterday', 'UTC', nowMs), { message: /not a time/ })
})

test('a time is relative only under one hour', (t) => {
  t.is(formatAgo(nowMs - 999, 'UTC', nowMs), 'now')
  t.is(formatAgo(nowMs - 42_000, 'UTC', nowMs), '42 s ago')
  t.is(formatAgo(nowMs - 3_599_999, 'UTC', nowMs), '59 min ago')
  t.is(formatAgo(nowMs - 3_600_000, 'UTC', nowMs), 'Nov 23 11:00:00')
  t.is(formatAgo(nowMs + 1, 'UTC', nowMs), 'Nov 23 12:00:00')
  t.is(formatAge(nowMs - 3 * 86_400_000, nowMs), '3 days')
  t.is(formatAge(nowMs - 60_000, nowMs), '1 minute')
  t.is(formatAge(nowMs - 47 * 3_600_000, nowMs), '47 hours')
})

test('hover names the zone, UTC and the epoch', (t) => {
  t.is(
    explainTime('2026-11-20T14:03:22.481Z', shanghai),
    'Nov 20 2026 22:03:22.481 (Shanghai, UTC+8) · 2026-11-20T14:03:22.481Z · 1795183402481',
  )
})

test('zones are named with the offset of the moment', (t) => {
  t.is(nameZone(shanghai, nowMs), 'Shanghai, UTC+8')
  t.is(nameZone(kolkata, nowMs), 'Kolkata, UTC+5:30')
  t.is(nameZone(newYork, nowMs), 'New York, UTC−5')
  t.is(nameZone(newYork, Date.parse('2026-07-01T00:00:00Z')), 'New York, UTC−4')
  t.is(nameZone('UTC', nowMs), 'UTC')
  t.is(nameZone('Asia/Calcutta', nowMs), 'Kolkata, UTC+5:30', 'the name that is in use today')
  t.true(isZone('Europe/Berlin'))
  t.false(isZone('Mars/Olympus'))
})

test('the list of zones has every one once, by the name that is in use today', (t) => {
  const zones = listZones()
  for (const zone of [shanghai, newYork, kolkata, 'Europe/Kyiv']) t.true(zones.includes(zone), zone)
  t.is(new Set(zones).size, zones.length)
  t.false(zones.includes('Asia/Calcutta') || zones.includes('UTC'))
  t.deepEqual(
    zones.filter((zone) => !isZone(zone)),
    [],
  )
})

test('a wall-clock time is converted to the instant that it shows', (t) => {
  for (const zone of [shanghai, newYork, kolkata, 'UTC', 'Australia/Lord_Howe']) {
    for (let ms = Date.parse('2026-01-01T00:00:00Z'); ms < nowMs; ms += 11 * 3_600_000 + 61_000) {
      const local = readLocal(ms, zone)
      const found = findInstant(local, zone)
      t.deepEqual(readLocal(found, zone), local)
      t.true(found <= ms, 'of two instants the first')
    }
  }
})

test('the night in which New York sets its clocks back: 01:30 is the first of two, and the day has 25 hours', (t) => {
  const half = { year: 2026, month: 11, day: 1, hour: 1, minute: 30, second: 0 }
  t.is(iso(findInstant(half, newYork)), '2026-11-01T05:30:00.000Z')
  const noon = Date.parse('2026-11-01T17:00:00Z')
  t.is(iso(startOfDay(noon, newYork)), '2026-11-01T04:00:00.000Z')
  t.is(iso(startOfDay(noon, newYork, 1)), '2026-11-02T05:00:00.000Z')
  t.is(formatTime('2026-11-01T05:30:00Z', newYork, nowMs, 'min'), 'Nov 1 01:30')
  t.is(formatTime('2026-11-01T06:30:00Z', newYork, nowMs, 'min'), 'Nov 1 01:30')
  t.regex(explainTime('2026-11-01T05:30:00Z', newYork), /UTC−4/)
  t.regex(explainTime('2026-11-01T06:30:00Z', newYork), /UTC−5/)
})

test('the night in which New York sets its clocks forward: 02:30 never shows and is 03:30', (t) => {
  const half = { year: 2026, month: 3, day: 8, hour: 2, minute: 30, second: 0 }
  t.is(iso(findInstant(half, newYork)), '2026-03-08T07:30:00.000Z')
  t.is(readLocal(findInstant(half, newYork), newYork).hour, 3)
})

test("days and months begin at the zone's midnight", (t) => {
  t.is(iso(startOfDay(nowMs, shanghai)), '2026-11-22T16:00:00.000Z')
  t.is(iso(startOfDay(nowMs, kolkata, -1)), '2026-11-21T18:30:00.000Z')
  t.is(iso(startOfMonth(nowMs, shanghai)), '2026-10-31T16:00:00.000Z')
  t.is(iso(startOfMonth(nowMs, newYork)), '2026-11-01T04:00:00.000Z')
  t.is(iso(startOfMonth(nowMs, 'UTC', 2)), '2027-01-01T00:00:00.000Z')
})

test('buckets are written as intervals, with the offsets where an hour repeats', (t) => {
  const hourMs = 3_600_000
  t.is(formatBucket(Date.parse('2026-11-20T14:00:00Z'), hourMs, 'UTC', nowMs), 'Nov 20 14:00–15:00')
  t.is(formatBucket(Date.parse('2026-11-19T16:00:00Z'), 24 * hourMs, shanghai, nowMs), 'Nov 20')
  t.is(formatBucket(Date.parse('2026-11-01T05:00:00Z'), hourMs, newYork, nowMs), 'Nov 1 01:00–01:00 (UTC−4 to UTC−5)')
})

test('a bucket of a whole day is written as its day, however long it is; one that is cut in another zone is not', (t) => {
  const hourMs = 3_600_000
  t.is(formatBucket(Date.parse('2026-03-08T05:00:00Z'), 23 * hourMs, newYork, nowMs), 'Mar 8')
  t.is(formatBucket(Date.parse('2026-11-01T04:00:00Z'), 25 * hourMs, newYork, nowMs), 'Nov 1')
  t.is(formatBucket(Date.parse('2026-11-01T04:00:00Z'), 24 * hourMs, newYork, nowMs), 'Nov 1')
  const utcDay = Date.parse('2026-11-20T00:00:00Z')
  t.is(formatBucket(utcDay, 24 * hourMs, newYork, nowMs), 'Nov 19 19:00 – Nov 20 19:00')
  t.is(formatBucket(utcDay, 24 * hourMs, shanghai, nowMs), 'Nov 20 08:00 – Nov 21 08:00')
  t.is(formatBucket(utcDay, 24 * hourMs, 'UTC', nowMs), 'Nov 20')
})

test('ids stay text, even if they consist of digits', (t) => {
  t.is(shortId('1234567890123456'), '12345678')
  t.is(shortId('662e41cafe0000000000000000000000'), '662e41ca')
  t.is(shortId('019aa1c2-7d3f-7c00-8000-0123456789ab'), '456789ab', 'the part that tells UUIDs of one minute apart')
  t.true(isUuid('019AA1C2-7d3f-7c00-8000-0123456789ab'))
  t.false(isUuid('019aa1c27d3f7c0080000123456789ab'))
})
