import test from 'ava'
import { ApiFault, faultOfField, isPassing, makeNetworkFault, readFault } from '../../src/api/fault.ts'

const answer = (status: number, body: string, headers: Record<string, string> = {}): Response =>
  new Response(body, { status, headers })

test('a refusal keeps its sentence, request id and wait', async (t) => {
  const headers = { 'x-request-id': 'req-1', 'retry-after': '12' }
  const fault = await readFault(answer(429, '{"detail":"Too many requests"}', headers))
  t.like(fault, { status: 429, detail: 'Too many requests', requestId: 'req-1', retryAfterS: 12, fields: [] })
  t.true(isPassing(fault))
})

test('a validation error names its fields', async (t) => {
  const detail = [
    { loc: ['body', 'email'], msg: 'value is not a valid email address', type: 'value_error' },
    { loc: ['body', 'password'], msg: 'too short', type: 'string_too_short' },
  ]
  const fault = await readFault(answer(422, JSON.stringify({ detail })))
  t.is(faultOfField(fault, 'email'), 'value is not a valid email address')
  t.is(faultOfField(fault, 'name'), null)
  t.is(fault.detail, 'value is not a valid email address; too short')
  t.false(isPassing(fault))
})

for (const body of ['', '<html>Bad gateway</html>', 'null', '{}', '{"detail":7}', '{"detail":[]}', '[1']) {
  test(`a response of a proxy is an error too: ${body === '' ? 'empty' : body}`, async (t) => {
    const fault = await readFault(answer(502, body))
    t.like(fault, { status: 502, detail: 'The service answered 502', requestId: null, retryAfterS: null })
    t.deepEqual(fault.fields, [])
  })
}

test('a Retry-After that is a date is left out', async (t) => {
  const fault = await readFault(answer(503, '{"detail":"x"}', { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }))
  t.is(fault.retryAfterS, null)
})

test('a request without a response may be repeated', (t) => {
  const fault = makeNetworkFault(new TypeError('Failed to fetch'))
  t.true(fault instanceof ApiFault)
  t.true(isPassing(fault))
  t.false(isPassing(new Error('a fault of the page')))
})
