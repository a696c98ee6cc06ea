// The search parameters of the URL: text stays text, a window is a preset or bounds, and parameters that cannot be used are reported.
import test from 'ava'
import {
  carrySearch,
  carryWindow,
  changeSearch,
  describeIgnored,
  findFault,
  freezeWindow,
  moveByKey,
  oneOf,
  parseSearch,
  periodFilter,
  positiveFilter,
  readFilters,
  readWindow,
  shiftWindow,
  stringifySearch,
  textFilter,
  uuidFilter,
  validateSearch,
  widenWindow,
  writeWindow,
} from '../../src/window/index.ts'

const nowMs = Date.parse('2026-11-23T12:00:00.000Z')
const bounds = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z' }
const inUrl = { from_time: bounds.from, to_time: bounds.to }
const agent = '019aa1c2-7d3f-7c00-8000-0123456789ab'

test('ids of digits alone and ids like powers of ten survive both ways, and any number of times', (t) => {
  for (const id of [
    '1234567890123456',
    '662e41',
    '662E41',
    '12345678901234567890123456789012',
    '0x10',
    '007',
    '1e400',
    'null',
    'true',
    '"q"',
    '[1]',
    '{}',
    '-0',
    'a b+c&d=e#f%20',
    'é😀',
  ]) {
    const text = stringifySearch({ span: id, session_id: id })
    t.deepEqual(parseSearch(text), { span: id, session_id: id })
    t.is(stringifySearch(parseSearch(stringifySearch(parseSearch(text)))), text)
  }
  t.is(stringifySearch({ span: '1234567890123456' }), '?span=1234567890123456')
  t.throws(() => stringifySearch({ span: { id: 1 } }), { instanceOf: TypeError })
})

test('absent parameters are omitted, and the first of two values counts', (t) => {
  t.is(stringifySearch({}), '')
  t.is(stringifySearch({ model: undefined, kind: null, tool_name: '' }), '')
  t.deepEqual(parseSearch('?model=a&model=b&kind='), { model: 'a' })
  t.deepEqual(parseSearch('__proto__=x').model, undefined)
  t.deepEqual(validateSearch({ min_duration_ms: 5, model: 'gpt', kind: undefined }), {
    min_duration_ms: '5',
    model: 'gpt',
  })
  t.deepEqual(changeSearch({ model: 'a', kind: 'llm' }, { model: null, status: 'ok' }), { kind: 'llm', status: 'ok' })
})

test('without parameters the window is the last day, and it moves with the clock', (t) => {
  t.deepEqual(readWindow({}, nowMs), {
    from: '2026-11-22T12:00:00.000Z',
    to: '2026-11-23T12:00:00.000Z',
    preset: '24h',
    ignored: [],
  })
  t.is(readWindow({ range: '24h' }, nowMs + 30_000).to, '2026-11-23T12:00:30.000Z')
})

test('every preset has its length, and a month begins in the zone of the page', (t) => {
  const lengths = { '15m': 0.25, '1h': 1, '6h': 6, '24h': 24, '7d': 168, '30d': 720, '90d': 2_160 }
  for (const [range, hours] of Object.entries(lengths)) {
    const { from, to, preset } = readWindow({ range }, nowMs)
    t.is(Date.parse(to) - Date.parse(from), hours * 3_600_000, range)
    t.is(preset, range as typeof preset)
  }
  t.is(readWindow({ range: 'mtd' }, nowMs).from, '2026-11-01T00:00:00.000Z')
  t.is(readWindow({ range: 'mtd' }, nowMs, 'Asia/Shanghai').from, '2026-10-31T16:00:00.000Z')
  const start = Date.parse('2026-11-01T00:00:00.000Z')
  const first = readWindow({ range: 'mtd' }, start)
  t.true(first.from < first.to, 'a window is never empty')
})

test('a window with fixed bounds does not move', (t) => {
  const first = readWindow(inUrl, nowMs)
  t.deepEqual(first, { ...bounds, preset: null, ignored: [] })
  t.deepEqual(readWindow(inUrl, nowMs + 86_400_000), first)
  const micro = { from_time: '2026-11-20T00:00:00.000001Z', to_time: '2026-11-20T00:00:01Z' }
  t.is(readWindow(micro, nowMs).from, micro.from_time, 'microseconds are kept')
})

test('a preset and bounds at once: the bounds win, and the preset is named', (t) => {
  const { preset, from, ignored } = readWindow({ ...inUrl, range: '7d' }, nowMs)
  t.is(preset, null)
  t.is(from, bounds.from)
  t.deepEqual(
    ignored.map(({ name }) => name),
    ['range'],
  )
})

test('invalid windows are ignored and named', (t) => {
  const bad: readonly (readonly [Record<string, string>, readonly string[]])[] = [
    [{ range: '5y' }, ['range']],
    [{ range: 'constructor' }, ['range']],
    [{ from_time: bounds.from }, ['from_time']],
    [{ to_time: bounds.to }, ['to_time']],
    [{ from_time: bounds.to, to_time: bounds.from }, ['from_time', 'to_time']],
    [{ from_time: bounds.from, to_time: bounds.from }, ['from_time', 'to_time']],
    [{ from_time: '2026-11-20', to_time: bounds.to }, ['from_time', 'to_time']],
    [{ from_time: '2026-02-30T00:00:00Z', to_time: bounds.to }, ['from_time', 'to_time']],
    [{ from_time: '2026-11-20T00:00:00+08:00', to_time: bounds.to }, ['from_time', 'to_time']],
    [{ from_time: '2024-11-20T00:00:00Z', to_time: bounds.to }, ['from_time', 'to_time']],
  ]
  for (const [search, names] of bad) {
    const { preset, ignored } = readWindow(search, nowMs)
    t.is(preset, '24h', JSON.stringify(search))
    t.deepEqual(
      ignored.map(({ name }) => name),
      names,
      JSON.stringify(search),
    )
  }
  t.is(readWindow({ range: '7d', from_time: 'x', to_time: 'y' }, nowMs).preset, '7d')
  t.is(findFault(bounds.from, bounds.to), null)
})

test('writing a window leaves the default out, and a preset and bounds never stand together', (t) => {
  t.deepEqual(writeWindow({ ...inUrl, model: 'a' }, '24h'), { model: 'a' })
  t.deepEqual(writeWindow({ ...inUrl, model: 'a' }, '7d'), { model: 'a', range: '7d' })
  t.deepEqual(writeWindow({ range: '7d' }, bounds), inUrl)
  t.deepEqual(freezeWindow({ range: '7d', kind: 'llm' }, bounds), { kind: 'llm', ...inUrl })
})

test('shifting keeps the length and never goes beyond now', (t) => {
  const fixed = readWindow(inUrl, nowMs)
  t.deepEqual(shiftWindow(fixed, -1, nowMs), { from: '2026-11-19T00:00:00.000Z', to: bounds.from })
  t.deepEqual(shiftWindow(fixed, 1, nowMs), { from: bounds.to, to: '2026-11-22T00:00:00.000Z' })
  const late = readWindow({ from_time: '2026-11-22T18:00:00.000Z', to_time: '2026-11-23T06:00:00.000Z' }, nowMs)
  t.deepEqual(shiftWindow(late, 1, nowMs), { from: '2026-11-23T00:00:00.000Z', to: '2026-11-23T12:00:00.000Z' })
  const live = readWindow({ range: '1h' }, nowMs)
  t.is(shiftWindow(live, 1, nowMs), '1h', 'a live window already ends now')
  t.deepEqual(shiftWindow(live, -1, nowMs), { from: '2026-11-23T10:00:00.000Z', to: '2026-11-23T11:00:00.000Z' })
})

test('widening takes the next longer preset, or twice the bounds around their middle', (t) => {
  t.is(widenWindow(readWindow({ range: '1h' }, nowMs), nowMs), '6h')
  t.is(widenWindow(readWindow({ range: 'mtd' }, nowMs), nowMs), '30d')
  t.deepEqual(widenWindow(readWindow(inUrl, nowMs), nowMs), {
    from: '2026-11-19T12:00:00.000Z',
    to: '2026-11-21T12:00:00.000Z',
  })
  const half = widenWindow(readWindow({ range: '90d' }, nowMs), nowMs)
  t.deepEqual(half, { from: '2026-05-27T12:00:00.000Z', to: '2026-11-23T12:00:00.000Z' }, 'it cannot reach beyond now')
  const longest = readWindow({ from_time: '2025-10-20T00:00:00.000Z', to_time: '2026-11-20T00:00:00.000Z' }, nowMs)
  const wider = widenWindow(longest, nowMs)
  if (typeof wider === 'string') throw new Error('expected bounds')
  t.is(findFault(wider.from, wider.to), null)
})

test('keys shift and widen the window, and other keys do not touch it', (t) => {
  const fixed = readWindow(inUrl, nowMs)
  t.deepEqual(moveByKey('[', fixed, nowMs), shiftWindow(fixed, -1, nowMs))
  t.deepEqual(moveByKey(']', fixed, nowMs), shiftWindow(fixed, 1, nowMs))
  t.deepEqual(moveByKey('-', fixed, nowMs), widenWindow(fixed, nowMs))
  t.is(moveByKey('x', fixed, nowMs), null)
})

test('the window and the agent travel with links, other filters do not', (t) => {
  t.deepEqual(carrySearch({ range: '7d', agent_id: agent, model: 'a', span: 'b' }), { range: '7d', agent_id: agent })
  t.deepEqual(carryWindow({ range: '7d', agent_id: agent, model: 'a' }), { range: '7d' })
})

test('filters are read by their readers; bad and unknown ones are named, those of other pages are not', (t) => {
  const readers = {
    agent_id: uuidFilter,
    model: textFilter,
    status: oneOf('ok', 'error'),
    min_duration_ms: positiveFilter,
    period: periodFilter,
  }
  const good = {
    agent_id: agent.toUpperCase(),
    model: '1234567890123456',
    status: 'error',
    min_duration_ms: '2.5',
    period: '2026-11',
  }
  t.deepEqual(readFilters(good, readers), {
    filters: { agent_id: agent, model: '1234567890123456', status: 'error', min_duration_ms: 2.5, period: '2026-11' },
    ignored: [],
  })
  const bad = {
    agent_id: 'x',
    status: 'fine',
    min_duration_ms: '1e3',
    period: '2026-13',
    foo: 'bar',
    constructor: 'y',
    severity: 'critical',
  }
  const { filters, ignored } = readFilters(bad, readers)
  t.deepEqual(filters, {})
  t.deepEqual(
    ignored.map(({ name }) => name),
    ['agent_id', 'status', 'min_duration_ms', 'period', 'foo', 'constructor'],
  )
})

test('one line names what was ignored', (t) => {
  t.is(describeIgnored([]), null)
  const { ignored } = readFilters({ status: 'fine', foo: 'x'.repeat(60) }, { status: oneOf('ok', 'error') })
  t.is(
    describeIgnored(ignored),
    `Not used: status=fine (expected ok, error); foo=${'x'.repeat(40)}… (not a parameter of this page).`,
  )
})
