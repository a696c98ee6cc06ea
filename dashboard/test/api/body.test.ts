import test from 'ava'
import { writeBody } from '../../src/api/body.ts'

test('a value that is not a finite number is sent as text, because null would mean no value', (t) => {
  t.is(writeBody({ days: Number.NaN, usd: [Number.POSITIVE_INFINITY] }), '{"days":"NaN","usd":["Infinity"]}')
  t.is(writeBody({ days: null, usd: [0.5], name: 'NaN' }), '{"days":null,"usd":[0.5],"name":"NaN"}')
})
