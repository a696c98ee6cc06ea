// Bounds of windows that lie inside a millisecond.
import test, { type ExecutionContext } from 'ava'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { makeBatch, makeEvent } from '../_kit/batch.ts'
import { hexId, storeEvents } from '../_kit/events.ts'
import { openReads, type Reads } from '../_kit/reads.ts'

const second = '2026-03-01T12:00:00'
const micros = ['123000', '123455', '123456', '123457', '123999', '124000'] as const

let reads: Reads
let workspace: string
test.before(async () => {
  reads = await openReads()
  workspace = await reads.makeWorkspace()
  // One trace each, so that the list of traces has the same window.
  const seeds = micros.map((micro, at) => ({
    start: `${second}.${micro}Z`,
    trace: hexId(at + 1, 32),
    span: hexId(at + 1, 16),
  }))
  await storeEvents(reads.db.query, workspace, seeds)
})
test.after.always(async () => await reads.stop())

type Page = { items: { trace_id: string }[]; next_cursor: string | null }

/** Returns the numbers of the traces of a list, in pages of two. */
async function readPlaces(t: ExecutionContext, path: string, query: Record<string, string>): Promise<number[]> {
  const places: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const given: Record<string, string | number> =
      cursor === '' ? { ...query, limit: 2 } : { ...query, limit: 2, cursor }
    const { status, body }: { status: number; body: Page } = await reads.get<Page>(workspace, path, given)
    t.is(status, 200, JSON.stringify(body))
    places.push(...body.items.map(({ trace_id: id }) => Number.parseInt(id, 16) - 1))
    cursor = body.next_cursor
  }
  return places.sort((a, b) => a - b)
}

for (const [from, to, expected] of [
  ['123000', '123456', [0, 1]],
  ['123456', '123457', [2]],
  ['123001', '123455', []],
  ['123457', '124000', [3, 4]],
  ['123456', '124001', [2, 3, 4, 5]],
] as const) {
  const query = { from_time: `${second}.${from}Z`, to_time: `${second}.${to}Z` }

  test(`a window from ${from} to ${to} microseconds holds just what starts in it`, async (t) => {
    t.deepEqual(await readPlaces(t, 'events', query), [...expected])
    t.deepEqual(await readPlaces(t, 'traces', query), [...expected])
    t.deepEqual(await readPlaces(t, 'traces', { ...query, order_by: 'duration_ms' }), [...expected])
    const { body } = await reads.get<{ total_events: number }>(workspace, 'stats/summary', query)
    t.is(body.total_events, expected.length)
  })
}

test('a window beside a cursor has to be the same to the microsecond', async (t) => {
  const query = { from_time: `${second}.123000Z`, to_time: `${second}.123999Z`, limit: 1 }
  const { body } = await reads.get<Page>(workspace, 'events', query)
  const cursor = body.next_cursor ?? ''
  t.is((await reads.get(workspace, 'events', { ...query, cursor })).status, 200)
  const other = { ...query, to_time: `${second}.123998Z`, cursor }
  t.is((await reads.get(workspace, 'events', other)).status, 422)
})

test('a list pages on with its from_time alone, though the window up to now has become too long', async (t) => {
  const old = await reads.makeWorkspace()
  const seeds = [1, 2].map((at) => ({
    start: `2020-03-01T12:00:00.00000${at}Z`,
    trace: hexId(at, 32),
    span: hexId(at, 16),
  }))
  await storeEvents(reads.db.query, old, seeds)
  const from_time = '2020-03-01T00:00:00Z'
  for (const path of ['events', 'traces']) {
    const query = { from_time, to_time: '2020-03-02T00:00:00Z', limit: 1 }
    const { body } = await reads.get<Page>(old, path, query)
    const next = await reads.get<Page>(old, path, { from_time, cursor: body.next_cursor ?? '' })
    t.is(next.status, 200, JSON.stringify(next.body))
    t.deepEqual(
      next.body.items.map(({ trace_id: id }) => id),
      [hexId(1, 32)],
    )
    t.is((await reads.get(old, path, { from_time })).status, 422, 'without a cursor it is too long')
  }
})

test('lists of windows at the ends of the calendar are answered', async (t) => {
  for (const [from_time, to_time] of [
    ['0000-01-01T00:00:00+14:00', '0000-02-01T00:00:00Z'],
    ['1969-12-01T00:00:00Z', '1970-01-02T00:00:00Z'],
    ['9999-12-31T00:00:00Z', '9999-12-31T23:59:59.999999-14:00'],
    ['6503-05-10T18:47:28.254995Z', '6503-05-10T18:47:29.254995Z'],
  ] as const) {
    for (const path of ['events', 'traces'])
      t.is((await reads.get(workspace, path, { from_time, to_time })).status, 200, `${path} ${from_time}`)
  }
})

test('totals include the whole of a day that is partly expired, however few its events are', async (t) => {
  const id = await reads.makeWorkspace()
  const startAt = (time: string) =>
    makeEvent({ startTimeUnixNano: BigInt(Date.parse(`2026-03-02T${time}Z`)) * 1_000_000n })
  await storeGroup(reads.db.db, [makeBatch(id, ['10:00:00', '11:59:59.999', '14:00:00'].map(startAt))])
  await reads.db.query(`delete from events where workspace_id = $1 and start_time < '2026-03-02T12:00:00Z'`, [id])
  const count = async (from: string, to: string, path = 'stats/summary'): Promise<number> => {
    const query = { from_time: `2026-03-02T${from}Z`, to_time: `2026-03-02T${to}Z` }
    const { body } = await reads.get<{ total_events?: number; items?: { events: number }[] }>(id, path, query)
    return body.total_events ?? body.items?.reduce((sum, { events }) => sum + events, 0) ?? Number.NaN
  }
  t.is(await count('00:00:00', '23:59:00'), 3)
  t.is(await count('00:00:00', '23:59:00', 'stats/breakdown'), 3)
  // Rollups round a bound outwards.
  t.is(await count('10:00:00.000001', '23:59:00.000001'), 3)
  t.is(await count('12:00:00', '23:59:00'), 1)
})
