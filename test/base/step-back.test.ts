import test from 'ava'
import { stepBack } from '../../src/base/step-back.ts'

const keep = (text: string, most = 64): string => text.slice(0, stepBack(text, most))

test('the cut removes the last word, and the groups of digits or capitals before it', (t) => {
  for (const [text, kept] of [
    ['write to ada@exam', 'write to'],
    ['pay with 4111 1111 1111 11', 'pay with'],
    ['pay to GB82 WEST 1234 5698 76', 'pay to'],
    ['call +49 (30) 123-45', 'call'],
    ['one  two', 'one'],
    ['line\nghp_16C7e42', 'line'],
    ['ends with a blank ', 'ends with a blank'],
  ] as const)
    t.is(keep(text), kept)
})

test('without such a place near the end, the cut removes the maximum number of characters', (t) => {
  t.is(keep('x'.repeat(100), 64), 'x'.repeat(36))
  t.is(keep('A1 '.repeat(100), 64), 'A1 '.repeat(100).slice(0, 236))
  t.is(keep('short'), '')
  // Never inside a code point.
  t.is(keep(`a😀${'x'.repeat(63)}`, 64), 'a')
})
