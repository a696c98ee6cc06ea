import { createHash } from 'node:crypto'
import test from 'ava'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { hashInput, hashInputText, parseExact } from '../../src/event/canonical-json.ts'
import { rewriteCanonical } from '../../src/event/canonical-text.ts'
import { seed } from '../_kit/soak.ts'

test('compact JSON with keys in order is its own form', (t) => {
  for (const text of [
    '{}',
    '[]',
    '""',
    '0',
    '-1',
    '123456789012345',
    'true',
    'null',
    '[true,false,null]',
    '{"":1,"a":{"b":[],"c":{}},"é":"漢"}',
    '{"10":1,"9":2}',
    '{"__proto__":1,"a":2}',
    String.raw`{"a":"\"\\\b\f\n\r\t"}`,
    '{"a":"/\u2028\u007f"}',
  ]) {
    t.is(rewriteCanonical(text), text)
    t.is(canonicalize(JSON.parse(text)), text)
    t.is(hashInputText(text), hashInput(JSON.parse(text)))
  }
})

test('blanks are left out, and keys are put in order', (t) => {
  for (const [text, form] of [
    [' 1\n', '1'],
    ['{"a": 1, "b" :[ 1 , {"d":2,"c":3 } ] }', '{"a":1,"b":[1,{"c":3,"d":2}]}'],
    ['{"b":1,"a":2}', '{"a":2,"b":1}'],
    ['{"ab":1,"a":2,"a b":3,"a!":4}', '{"a":2,"a b":3,"a!":4,"ab":1}'],
    ['{"é":1,"z":2}', '{"z":2,"é":1}'],
    ['{"9":1,"10":2}', '{"10":2,"9":1}'],
    ['[ ]', '[]'],
    ['{\t}', '{}'],
    [String.raw`{"b":" a, \" : ","a":[{}, [ ]]}`, String.raw`{"a":[{},[]],"b":" a, \" : "}`],
  ] as const) {
    t.is(rewriteCanonical(text), form)
    t.is(canonicalize(JSON.parse(text)), form)
  }
})

const others = [
  '',
  '{"a":1,"a":2}',
  '{"a":1,}',
  '{,"a":1}',
  '{"a":1 "b":2}',
  '{"b":1,"a":2,"b":3}',
  '{"b":1,"a":2',
  '[1 2]',
  '[,1]',
  '[1, ]',
  '{a:1}',
  ' ',
  '[1,]',
  '[1',
  '{"a"',
  '{"a":',
  '{"a":1',
  '"a',
  '"a\\',
  '{"a":1}x',
  'tru',
  'truex',
  '[nullx]',
  '-',
  '-0',
  '01',
  '-01',
  '1.0',
  '1e3',
  '1234567890123456',
  String.raw`{"a":"\u0061"}`,
  String.raw`{"a":"\/"}`,
  String.raw`{"\n":1}`,
  '{"a":"\t"}',
  '{"a":"\ud800"}',
  '{"a":"😀"}',
  `${'['.repeat(40)}${']'.repeat(40)}`,
]

test('any other text is left to the parse', (t) => {
  for (const text of others) t.is(rewriteCanonical(text), null, text)
})

/** Texts of JSON values in several spellings, and such texts with a character changed. */
const spellings = fc
  .tuple(
    fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.dictionary(fc.string({ maxLength: 3 }), fc.integer())),
    fc.constantFrom<(value: unknown) => string>(
      (value) => JSON.stringify(value),
      (value) => JSON.stringify(value, null, 1),
      (value) => canonicalize(value) ?? 'null',
    ),
    fc.option(fc.tuple(fc.nat(), fc.constantFrom('', '"', '\\', ',', ' ', '0', '}', 'é'))),
  )
  .map(([value, write, change]) => {
    const text = write(value)
    if (change === null) return text
    const at = change[0] % (text.length + 1)
    return text.slice(0, at) + change[1] + text.slice(at + 1)
  })

test('a text that needs no parse has the hash that the parse would give', (t) => {
  let canonical = 0
  fc.assert(
    fc.property(spellings, (text) => {
      const form = rewriteCanonical(text)
      if (form === null) return
      canonical++
      t.is(canonicalize(parseExact(text)), form)
      t.is(hashInputText(text), `sha256:${createHash('sha256').update(form).digest('hex')}`)
    }),
    { numRuns: 1_000, seed },
  )
  t.true(canonical > 100, `only ${canonical} texts needed no parse`)
})
