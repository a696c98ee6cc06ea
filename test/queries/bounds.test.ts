import { randomUUID } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'
import { openReads, type Reads } from '../_kit/reads.ts'

type Invalid = { detail: { loc: string[]; type: string; msg: string }[] }

let reads: Reads
let workspace: string
test.before(async () => {
  reads = await openReads()
  workspace = await reads.makeWorkspace()
})
test.after.always(async () => await reads.stop())

async function refuses(t: ExecutionContext, path: string, name: string, value: string, type: string): Promise<void> {
  const { status, body } = await reads.get<Invalid>(workspace, path, { [name]: value })
  t.is(status, 422, `${path}?${name}=${value}`)
  t.deepEqual(
    body.detail.map(({ loc, type }) => ({ loc, type })),
    [{ loc: ['query', name], type }],
    `${path}?${name}=${value}`,
  )
}

const windowed = ['stats/summary', 'stats/timeseries', 'stats/breakdown', 'traces', 'events']
const ids = [
  'stats/summary',
  'stats/timeseries',
  'stats/breakdown',
  'traces',
  'events',
  'events/tail',
  'decisions',
  'findings',
]

for (const path of ['agents', 'traces', 'events', 'decisions', 'findings']) {
  test(`limit of ${path} is a whole number from 1 to 200`, async (t) => {
    for (const value of ['1', '200', '+7', '007'])
      t.is((await reads.get(workspace, path, { limit: value })).status, 200, value)
    await refuses(t, path, 'limit', '0', 'greater_than_equal')
    await refuses(t, path, 'limit', '-1', 'greater_than_equal')
    await refuses(t, path, 'limit', '201', 'less_than_equal')
    await refuses(t, path, 'limit', '99999999999999999999', 'less_than_equal')
    for (const value of ['1e2', '', ' ', '1.5', '0x10', 'x', '1\0'])
      await refuses(t, path, 'limit', value, 'int_parsing')
  })
}

for (const path of ['agents', 'decisions']) {
  test(`offset of ${path} is a whole number from 0 to 100,000`, async (t) => {
    for (const value of [0, 100_000]) t.is((await reads.get(workspace, path, { offset: value })).status, 200)
    await refuses(t, path, 'offset', '-1', 'greater_than_equal')
    await refuses(t, path, 'offset', '100001', 'less_than_equal')
    for (const value of ['1e2', '', 'x']) await refuses(t, path, 'offset', value, 'int_parsing')
  })
}

for (const path of windowed) {
  test(`the window of ${path} is at most 400 days long and runs forwards`, async (t) => {
    const get = async (from: string, to: string) =>
      await reads.get<Invalid>(workspace, path, { from_time: from, to_time: to })
    t.is((await get('2025-01-01T00:00:00Z', '2026-02-05T00:00:00Z')).status, 200, '400 days')
    for (const [from, to] of [
      ['2025-01-01T00:00:00Z', '2026-02-06T00:00:00Z'],
      ['2025-01-01T00:00:00Z', '2026-02-05T00:00:00.001Z'],
      ['2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z'],
      ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
      ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00+02:00'],
      ['2026-01-01T00:00:00.123456Z', '2026-01-01T00:00:00.123456Z'],
      ['2026-01-01T00:00:00.123456Z', '2026-01-01T00:00:00.123455Z'],
      ['2025-01-01T00:00:00Z', '2026-02-05T00:00:00.000001Z'],
    ] as const) {
      const { status, body } = await get(from, to)
      t.is(status, 422, `${from} ${to}`)
      t.deepEqual(
        body.detail.map(({ loc }) => loc),
        [['query', 'from_time']],
      )
    }
    await refuses(t, path, 'from_time', '2020-01-01T00:00:00Z', 'value_error')
    await refuses(t, path, 'from_time', '2090-01-01T00:00:00Z', 'value_error')
  })

  test(`a time of ${path} has an offset`, async (t) => {
    const to = new Date(Date.now() - 60_000).toISOString()
    for (const value of [to, to.replace('Z', '+00:00'), to.replace('Z', '000Z')]) {
      t.is((await reads.get(workspace, path, { to_time: value })).status, 200, value)
    }
    await refuses(t, path, 'to_time', '2026-01-01T00:00:00', 'timezone_aware')
    for (const value of ['', 'yesterday', '2026-01-01', '2026-13-01T00:00:00Z', '1767225600']) {
      await refuses(t, path, 'from_time', value, 'datetime_from_date_parsing')
    }
  })
}

for (const path of ids) {
  test(`agent_id of ${path} is a UUID`, async (t) => {
    t.is((await reads.get(workspace, path, { agent_id: randomUUID() })).status, 200)
    for (const value of ['', 'x', `${randomUUID()}0`, "' or 1=1"])
      await refuses(t, path, 'agent_id', value, 'uuid_parsing')
  })
}

test('enumerations are closed, and text with characters that cannot be stored is refused', async (t) => {
  for (const [path, name] of [
    ['events', 'kind'],
    ['events', 'status'],
    ['events/tail', 'kind'],
    ['traces', 'status'],
    ['traces', 'order_by'],
    ['stats/timeseries', 'interval'],
    ['stats/timeseries', 'group_by'],
    ['stats/timeseries', 'kind'],
    ['stats/breakdown', 'group_by'],
    ['stats/breakdown', 'order_by'],
    ['findings', 'severity'],
    ['findings', 'status'],
    ['findings', 'order_by'],
  ] as const) {
    await refuses(t, path, name, 'nothing of ours', 'enum')
    await refuses(t, path, name, '', 'enum')
  }
  for (const [path, name] of [
    ['events', 'model'],
    ['events', 'tool_name'],
    ['events/tail', 'model'],
    ['traces', 'session_id'],
    ['traces', 'model'],
    ['traces', 'tool_name'],
    ['stats/timeseries', 'model'],
    ['decisions', 'type'],
    ['decisions', 'state'],
    ['decisions', 'tool_name'],
    ['findings', 'type'],
    ['findings', 'tool_name'],
  ] as const) {
    await refuses(t, path, name, 'a\0b', 'string_pattern_mismatch')
    await refuses(t, path, name, 'x'.repeat(1_025), 'string_too_long')
    t.is((await reads.get(workspace, path, { [name]: "o'clock 💥 %_\\" })).status, 200)
  }
})

test('the other numbers have their bounds', async (t) => {
  const trace = `traces/${'1'.repeat(32)}`
  await refuses(t, trace, 'limit', '0', 'greater_than_equal')
  await refuses(t, trace, 'limit', '10001', 'less_than_equal')
  await refuses(t, 'events/tail', 'wait', '26', 'less_than_equal')
  await refuses(t, 'events/tail', 'wait', '-1', 'greater_than_equal')
  await refuses(t, 'events/tail', 'limit', '201', 'less_than_equal')
  await refuses(t, 'stats/timeseries', 'top', '0', 'greater_than_equal')
  await refuses(t, 'stats/timeseries', 'top', '21', 'less_than_equal')
  await refuses(t, 'stats/breakdown', 'limit', '0', 'greater_than_equal')
  await refuses(t, 'stats/breakdown', 'limit', '101', 'less_than_equal')
  for (const name of ['min_duration_ms', 'min_cost_usd']) {
    await refuses(t, 'traces', name, '-1', 'greater_than_equal')
    for (const value of ['', 'x', 'NaN', 'Infinity', '1e999']) await refuses(t, 'traces', name, value, 'float_parsing')
    for (const value of ['1000000000000001', '1e300', '1e308'])
      await refuses(t, 'traces', name, value, 'less_than_equal')
    for (const value of ['0', '1.5', '1e15', '1e-300', '1e-320'])
      t.is((await reads.get(workspace, 'traces', { [name]: value })).status, 200)
  }
  await refuses(t, 'traces', 'served', 'maybe', 'bool_parsing')
  for (const value of ['', '2026', '2026-00', '2026-13', '2026-1', '1999-12', '2026-11-01', 'x']) {
    for (const path of ['usage', 'usage/timeseries', 'usage/rejections']) {
      await refuses(t, path, 'period', value, 'string_pattern_mismatch')
    }
  }
})

test('a foreign workspace gets the same answer as an unknown one', async (t) => {
  const paths = [
    'agents',
    `agents/${randomUUID()}`,
    'stats/summary',
    'stats/timeseries',
    'stats/breakdown',
    'traces',
    `traces/${'1'.repeat(32)}`,
    'events',
    'events/tail',
    `events/${'1'.repeat(32)}.${'1'.repeat(16)}`,
    'usage',
    'usage/timeseries',
    'usage/rejections',
    'decisions',
    'findings',
  ]
  for (const path of paths) {
    t.deepEqual(await reads.get(randomUUID(), path), { status: 404, body: { detail: 'Not found' } }, path)
    const { status, body } = await reads.get<Invalid>('x', path)
    t.is(status, 422, path)
    t.like(body.detail[0], { loc: ['path', 'workspace_id'], type: 'uuid_parsing' })
  }
})
