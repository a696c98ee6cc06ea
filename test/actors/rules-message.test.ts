import test from 'ava'
import {
  decodeRulesAnswer,
  decodeRulesQuestion,
  encodeRulesAnswer,
  encodeRulesQuestion,
} from '../../src/actors/rules-message.ts'

const rules = { version: 'mark.7', text: '{}' }

test('a version is asked for and answered with its mark', (t) => {
  for (const version of [null, 'mark.7', '7']) t.is(decodeRulesQuestion({ ...encodeRulesQuestion(version) }), version)
  t.deepEqual(decodeRulesAnswer(encodeRulesAnswer(rules)), rules)
  t.is(decodeRulesAnswer(encodeRulesAnswer('same')), 'same')
})

test('messages are compatible with the previous release, and a version that is only a number is never confirmed', (t) => {
  // Its actors answer `same` if `ifVersion` is the number that they have.
  t.like(encodeRulesQuestion('mark.7'), { ifVersion: null })
  t.is(decodeRulesQuestion({ ifVersion: 7 }), null)
  t.like(encodeRulesAnswer(rules), { version: 7, text: '{}' })
  t.deepEqual(decodeRulesAnswer({ version: 7, text: '{}' }), { version: '7', text: '{}' })
})

test('malformed messages are neither requests nor replies', (t) => {
  for (const body of [{}, { ifVersion: 'x' }, { ifVersion: 1.5 }]) t.is(decodeRulesQuestion(body), undefined)
  for (const body of [null, {}, { version: -1, text: '' }, { version: 1 }, { version: 1, marked: 2, text: '' }])
    t.is(decodeRulesAnswer(body), null)
})
