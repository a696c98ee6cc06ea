import test from 'ava'
import { writeBody } from '../../src/api/body.ts'

test('what is no number is not sent as null, which would mean that no number is wanted', (t) => {
  t.is(writeBody({ days: Number.NaN, usd: [Number.POSITIVE_INFINITY] }), '{"days":"NaN","usd":["Infinity"]}')
  t.is(writeBody({ days: null, usd: [0.5], name: 'NaN' }), '{"days":null,"usd":[0.5],"name":"NaN"}')
})
