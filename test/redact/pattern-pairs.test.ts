import test from 'ava'
import { findPairs, mayHold } from '../../src/redact/pattern-pairs.ts'
import { patterns } from '../../src/redact/patterns.ts'
import { makeOrdinaryTexts } from './_ordinary.ts'
import { openMaker, planted } from './_texts.ts'

const secrets = planted.map(([, secret, before = '', behind = '']) => `${before}${secret}${behind}`)

test('a pattern that may match a text is never ruled out by the pairs of its characters', (t) => {
  const { text } = openMaker(20_261_128)
  const made = Array.from({ length: 4_000 }, () => text())
  const cased = secrets.flatMap((secret) => [secret, secret.toUpperCase(), secret.toLowerCase(), `é${secret}漢`])
  const matched = new Set<number>()
  for (const one of [...made, ...cased]) {
    const pairs = findPairs(one)
    for (const [nth, { kind, mayMatch }] of patterns.entries()) {
      if (one.length < 2 || !mayMatch(one)) continue
      matched.add(nth)
      if (!mayHold(nth, pairs)) t.fail(`${kind} ${nth} is ruled out in ${JSON.stringify(one)}`)
    }
  }
  t.is(matched.size, patterns.length)
})

test('most patterns are ruled out in ordinary texts', (t) => {
  let held = 0
  const texts = makeOrdinaryTexts(300, 3).filter((text) => text.length < 400)
  for (const text of texts) {
    const pairs = findPairs(text)
    held += patterns.filter((_, nth) => mayHold(nth, pairs)).length
  }
  t.true(held < (texts.length * patterns.length) / 2, `${held} of ${texts.length * patterns.length}`)
})
