import test from 'ava'
import { isSuspiciousValue, openCleanValues } from '../../src/encode/clean-values.ts'
import { openSource } from '../../src/otlp/protobuf/plain-text.ts'
import { isSuspicious } from '../../src/redact/suspicion.ts'
import { openMaker, planted } from '../redact/_texts.ts'

test('a short value has the same answer however often it occurs, and whatever occurs between', (t) => {
  const clean = openCleanValues()
  const maker = openMaker(20_261_128)
  const secrets = planted.map(([, secret, before = '', behind = '']) => `${before}${secret}${behind}`)
  const ordinary = Array.from({ length: 3_000 }, (_, nth) => `value-${nth}`)
  const made = Array.from({ length: 3_000 }, () => maker.text().toWellFormed().slice(0, 66).toWellFormed())
  let suspicious = 0
  for (let round = 0; round < 3; round++) {
    for (const text of ['', 'a', 'ab', ...secrets, ...ordinary, ...made]) {
      const bytes = Buffer.from(`  ${text}  `)
      const [start, end] = [2, bytes.length - 2]
      const isFound = isSuspicious(bytes, start, end)
      suspicious += isFound ? 1 : 0
      if (isSuspiciousValue(clean, openSource(bytes), start, end) !== isFound) t.fail(JSON.stringify({ round, text }))
    }
  }
  t.true(suspicious > 1_000, `only ${suspicious} were suspicious`)
})
