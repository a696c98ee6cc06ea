// Of a key that occurs twice in a map only the last value is read, redacted and stored.
import test from 'ava'
import { makeSpan, makeValue, type OtlpValue } from '../_kit/spans.ts'
import { storedOf } from './_stored.ts'

const secret = 'sk-proj-Zk3vQ8mN1xT7bR5cW9yL2dF6gH4jP0sAaE'

const mapOf = (...values: OtlpValue[]): OtlpValue => ({
  kvlistValue: { values: values.map((value) => ({ key: 'inner', value })) },
})
const repeated = mapOf(makeValue(secret), makeValue('ok'))
const values = {
  'in the map of an attribute': repeated,
  'in a map within maps': mapOf(mapOf(repeated)),
  'in a map of an array': { arrayValue: { values: [makeValue('first'), repeated] } },
}

const spanWith = (value: OtlpValue) => ({ ...makeSpan(), attributes: [{ key: 'note', value }] })

for (const [place, value] of Object.entries(values)) {
  for (const mode of ['redacted', 'none'] as const) {
    test(`mode ${mode} stores no byte of a secret whose key is repeated ${place}`, (t) => {
      t.false(storedOf(spanWith(value), mode).includes(secret))
    })
  }
}

test('the last value of a repeated key is stored', (t) => {
  t.true(storedOf(spanWith(repeated), 'redacted').includes('ok'))
})
