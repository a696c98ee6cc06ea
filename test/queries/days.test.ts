// Days in time zones whose clocks change at midnight.
import test from 'ava'
import { openReads, type Reads } from '../_kit/reads.ts'

let reads: Reads
let workspace: string
test.before(async () => {
  reads = await openReads()
  workspace = await reads.makeWorkspace()
})
test.after.always(async () => await reads.stop())

async function listDays(zone: string, from_time: string, to_time: string): Promise<string[] | undefined> {
  const query = { from_time, to_time, interval: '1d', time_zone: zone }
  const { body } = await reads.get<{ series: { points: { time: string }[] }[] }>(workspace, 'stats/timeseries', query)
  return body.series[0]?.points.map(({ time }) => time)
}

test('a day begins at the first of two midnights, where the clock shows it twice', async (t) => {
  t.deepEqual(await listDays('Atlantic/Azores', '2026-10-24T06:00:00Z', '2026-10-26T06:00:00Z'), [
    '2026-10-24T00:00:00.000Z',
    '2026-10-25T00:00:00.000Z',
    '2026-10-26T01:00:00.000Z',
  ])
  t.deepEqual(await listDays('America/Havana', '2026-11-01T04:30:00Z', '2026-11-02T05:00:00Z'), [
    '2026-11-01T04:00:00.000Z',
  ])
})

test('a name that PostgreSQL takes for an abbreviation without summer time means its zone', async (t) => {
  for (const [name, zone] of [
    ['CET', 'Europe/Brussels'],
    ['eet', 'Europe/Athens'],
    ['MET', 'Europe/Brussels'],
    ['WET', 'Europe/Lisbon'],
  ] as const) {
    const bounds = ['2026-07-10T12:00:00Z', '2026-07-12T12:00:00Z'] as const
    t.deepEqual(await listDays(name, ...bounds), await listDays(zone, ...bounds), name)
  }
  t.is((await listDays('CET', '2026-07-10T12:00:00Z', '2026-07-10T13:00:00Z'))?.[0], '2026-07-09T22:00:00.000Z')
})

test('a day without a midnight begins at one', async (t) => {
  t.deepEqual(await listDays('America/Havana', '2026-03-08T06:00:00Z', '2026-03-09T06:00:00Z'), [
    '2026-03-08T05:00:00.000Z',
    '2026-03-09T04:00:00.000Z',
  ])
})
