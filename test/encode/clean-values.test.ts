import test from 'ava'
import { openValueCheck } from '../../src/encode/clean-values.ts'
import { openSource, viewOf } from '../../src/otlp/protobuf/plain-text.ts'
import { openRedactor } from '../../src/redact/redactor.ts'
import { isSuspicious } from '../../src/redact/suspicion.ts'
import { openMaker, planted } from '../redact/_texts.ts'

/** Returns a check of texts, and the check without a cache, each of a text between others. All are read from one source. */
function openChecks() {
  const isSuspiciousValue = openValueCheck()
  const source = openSource(Buffer.alloc(0))
  const placeOf = (text: string, behind: string): [start: number, end: number] => {
    source.bytes = Buffer.from(`  ${text}${behind}`)
    source.view = viewOf(source.bytes)
    return [2, source.bytes.length - behind.length]
  }
  return {
    ask: (text: string, behind = '  ') => isSuspiciousValue(source, ...placeOf(text, behind)),
    askAlways: (text: string, behind = '  ') => {
      const place = placeOf(text, behind)
      return isSuspicious(source.bytes, ...place)
    },
  }
}

test('a short value has the same answer however often it occurs, and whatever occurs between', (t) => {
  const { ask, askAlways } = openChecks()
  const maker = openMaker(20_261_128)
  const secrets = planted.map(([, secret, before = '', behind = '']) => `${before}${secret}${behind}`)
  const ordinary = Array.from({ length: 3_000 }, (_, nth) => `value-${nth}`)
  const made = Array.from({ length: 3_000 }, () => maker.text().toWellFormed().slice(0, 66).toWellFormed())
  let suspicious = 0
  for (let round = 0; round < 3; round++) {
    for (const text of ['', 'a', 'ab', ...secrets, ...ordinary, ...made]) {
      const isFound = askAlways(text)
      suspicious += isFound ? 1 : 0
      if (ask(text) !== isFound) t.fail(JSON.stringify({ round, text }))
    }
  }
  t.true(suspicious > 1_000, `only ${suspicious} were suspicious`)
})

test('a value that occurred twice stays clean before other bytes, which do not belong to it', (t) => {
  const { ask, askAlways } = openChecks()
  const text = 'identified by'
  t.false(openRedactor(new Uint8Array(32)).text(text).changed)
  t.true(ask(text, '\n'))
  t.false(ask(text, '"'))
  t.true(ask(text, '\n'), 'occurred once')
  t.false(ask(text, '"'))
  t.true(askAlways(text, '\n'))
  t.false(ask(text, '\n'))
})
