// The 422 body: pydantic v2's names, and the location of each fault.
import test from 'ava'
import { useServer } from './_server.ts'

const server = useServer()

type Item = { loc: (string | number)[]; msg: string; type: string; input?: unknown; ctx?: Record<string, unknown> }

async function faultsOf(path: string, body?: unknown): Promise<Item[]> {
  const headers = { 'content-type': 'application/json' }
  const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await fetch(server.baseUrl + path, init)
  const { detail } = (await response.json()) as { detail: Item[] }
  return response.status === 422 ? detail : []
}

const query = async (text: string): Promise<Item[]> => await faultsOf(`/query?needed=x&${text}`)

const cases: readonly (readonly [string, string, string])[] = [
  ['limit=0', 'limit', 'greater_than_equal'],
  ['limit=201', 'limit', 'less_than_equal'],
  ['limit=1e2', 'limit', 'int_parsing'],
  ['limit=', 'limit', 'int_parsing'],
  ['limit=1.0', 'limit', 'int_parsing'],
  ['limit=99999999999999999999', 'limit', 'less_than_equal'],
  ['offset=-1', 'offset', 'greater_than_equal'],
  ['offset=100001', 'offset', 'less_than_equal'],
  ['id=not-a-uuid', 'id', 'uuid_parsing'],
  ['at=2026-01-01T00:00:00', 'at', 'timezone_aware'],
  ['at=yesterday', 'at', 'datetime_from_date_parsing'],
  ['at=2026-13-01T00:00:00Z', 'at', 'datetime_from_date_parsing'],
  ['at=2026-02-30T00:00:00Z', 'at', 'datetime_from_date_parsing'],
  ['at=2025-02-29T00:00:00%2B02:00', 'at', 'datetime_from_date_parsing'],
  ['at=2026-01-01T24:00:00Z', 'at', 'datetime_from_date_parsing'],
  ['flag=perhaps', 'flag', 'bool_parsing'],
  ['state=ajar', 'state', 'enum'],
]

for (const [text, name, type] of cases) {
  test(`?${text} is ${type} at query.${name}`, async (t) => {
    const [fault, ...more] = await query(text)
    t.is(more.length, 0)
    t.deepEqual(fault?.loc, ['query', name])
    t.is(fault?.type, type)
    t.true((fault?.msg.length ?? 0) > 5)
  })
}

test('the error contains the limits in `ctx`, and the input', async (t) => {
  const [fault] = await query('limit=500')
  t.deepEqual(fault?.ctx, { le: 200 })
  t.is(fault?.input, '500')
})

test('allowed values are listed as pydantic lists them', async (t) => {
  const [fault] = await query('state=ajar')
  t.is(fault?.msg, "Input should be 'open' or 'shut'")
  t.deepEqual(fault?.ctx, { expected: "'open' or 'shut'" })
})

test('missing fields are reported as missing, and all errors at once', async (t) => {
  const faults = await faultsOf('/query?limit=0&flag=x')
  t.deepEqual(new Map(faults.map(({ loc, type }) => [loc.join('.'), type])).get('query.needed'), 'missing')
  t.is(faults.length, 3)
})

test('unknown query parameters are ignored, and of one given twice the last counts', async (t) => {
  const response = await fetch(`${server.baseUrl}/query?needed=x&limit=5&limit=7&unknown=1&__proto__=2`)
  t.is(response.status, 200)
  t.is(((await response.json()) as { limit: number }).limit, 7)
})

test('a timestamp may have any offset, also where the plus came as a blank', async (t) => {
  for (const at of ['2026-01-01T02:00:00%2B02:00', '2026-01-01T02:00:00+02:00', '2026-01-01T00:00:00.000Z']) {
    const response = await fetch(`${server.baseUrl}/query?needed=x&at=${at}`)
    t.is(((await response.json()) as { at: number }).at, Date.UTC(2026, 0, 1) * 1_000, at)
  }
})

test('a timestamp is read to the microsecond, and what is finer is cut off', async (t) => {
  for (const [fraction, micros] of [
    ['', 0],
    ['.1', 100_000],
    ['.123', 123_000],
    ['.1234', 123_400],
    ['.123456', 123_456],
    ['.123456999', 123_456],
    ['.000001', 1],
  ] as const) {
    for (const [second, us] of [
      ['2026-01-01T00:00:00', Date.UTC(2026, 0, 1) * 1_000],
      ['1969-12-31T23:59:59', -1_000_000],
    ] as const) {
      const response = await fetch(`${server.baseUrl}/query?needed=x&at=${second}${fraction}Z`)
      t.is(((await response.json()) as { at: number }).at, us + micros, second + fraction)
    }
  }
})

test('faults of a body name the path down to the item', async (t) => {
  const faults = await faultsOf('/body', { name: '', count: 1.5, tags: ['a', 2], nested: { deep: 'x' } })
  t.deepEqual(
    faults.map(({ loc, type }) => [loc.join('.'), type]),
    [
      ['body.name', 'string_too_short'],
      ['body.count', 'int_type'],
      ['body.tags.1', 'string_type'],
      ['body.nested.deep', 'bool_type'],
    ],
  )
})

test('errors of length contain the bound', async (t) => {
  const [tooLong] = await faultsOf('/body', { name: 'x'.repeat(11) })
  t.is(tooLong?.type, 'string_too_long')
  t.deepEqual(tooLong?.ctx, { max_length: 10 })
  const [tooMany] = await faultsOf('/body', { name: 'x', tags: ['a', 'b', 'c'] })
  t.is(tooMany?.type, 'too_long')
})

test('a body that is no object is one fault of the body', async (t) => {
  for (const body of [[], 'text', 1, null]) {
    const faults = await faultsOf('/body', body)
    t.is(faults.length, 1, JSON.stringify(body))
    t.deepEqual(faults[0]?.loc, ['body'])
  }
})

test('an error never contains a secret, and long input is truncated', async (t) => {
  const [secret] = await faultsOf('/body', { name: 'x', password: 'hunter2' })
  t.is(secret?.type, 'string_too_short')
  t.false(Object.hasOwn(secret ?? {}, 'input'))
  const [long] = await faultsOf('/body', { name: 'y'.repeat(5_000) })
  t.true(String(long?.input).length < 300)
})

test('unknown fields of a body are ignored', async (t) => {
  t.deepEqual(await faultsOf('/body', { name: 'x', unknown: true }), [])
})

test('text that PostgreSQL cannot store is refused', async (t) => {
  for (const name of ['a\0b', '\ud800']) {
    const [fault] = await faultsOf('/body', { name })
    t.is(fault?.type, 'string_unicode')
  }
})
