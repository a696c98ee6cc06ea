import { createHash } from 'node:crypto'
import test from 'ava'
import { inputPrefix } from '../../src/base/input-prefix.ts'

const digest = (text: string) => createHash('sha256').update(text).digest().subarray(0, 8).toString('base64')

test('the prefix of a hex hash is its first 8 bytes', (t) => {
  const expected = Buffer.from('0123456789abcdef', 'hex').toString('base64')
  t.is(expected, 'ASNFZ4mrze8=')
  t.is(inputPrefix(`sha256:0123456789abcdef${'0'.repeat(48)}`), expected)
  t.is(inputPrefix('hmac-sha256:key:0123456789ABCDEFff'), expected)
  t.is(inputPrefix('h:0123456789abcdef'), expected)
})

test('the prefix of any other text is the first 8 bytes of its SHA-256', (t) => {
  for (const text of ['', 'i', 'h:0123456789abcde', 'h:0123456789abcdefg', '0123456789abcdef', 'h:0123456789abcdef\n'])
    t.is(inputPrefix(text), digest(text), JSON.stringify(text))
})
