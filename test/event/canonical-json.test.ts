import { hash } from 'node:crypto'
import test from 'ava'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { hashInput, hashInputText } from '../../src/event/canonical-json.ts'
import { seed } from '../_kit/soak.ts'

const hashOf = (form: string): string => `sha256:${hash('sha256', form, 'hex')}`

/** A double by its IEEE 754 bits, and its text, from RFC 8785 appendix B. */
const numbers: readonly (readonly [string, string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
]

test('every number of RFC 8785 appendix B has the text given there', (t) => {
  for (const [bits, text] of numbers) {
    t.is(canonicalize(Buffer.from(bits, 'hex').readDoubleBE(0)), text, bits)
    t.is(hashInput(Buffer.from(bits, 'hex').readDoubleBE(0)), hashOf(text), bits)
  }
})

test('keys are sorted by UTF-16 code units, as in RFC 8785 section 3.2.3', (t) => {
  const input = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  }
  const form =
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis",' +
    '"€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}'
  t.is(hashInput(input), hashOf(form))
})

test('the sample of RFC 8785 section 3.2.2 gives its canonical text', (t) => {
  const text =
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
    '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}'
  const form =
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
    '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
  t.is(hashInputText(text), hashOf(form))
})

test('nested values are canonical at every level, and a Map has the hash of the equal object', (t) => {
  const form = '{"a":[{"x":1,"y":{"k":null}}],"b":"s"}'
  t.is(hashInput({ b: 's', a: [{ y: { k: null }, x: 1 }] }), hashOf(form))
  const inner = new Map<string, unknown>([
    ['y', new Map([['k', null]])],
    ['x', 1],
  ])
  const outer = new Map<string, unknown>([
    ['b', 's'],
    ['a', [inner]],
  ])
  t.is(hashInput(outer), hashOf(form))
})

test('a key named __proto__ is data', (t) => {
  t.is(hashInputText('{"__proto__":{"a":1}}'), hashOf('{"__proto__":{"a":1}}'))
  t.is(hashInput(new Map([['__proto__', new Map([['a', 1]])]])), hashOf('{"__proto__":{"a":1}}'))
})

test('a bigint equals the number with exactly its value, and never a rounded one', (t) => {
  const exact = 2n ** 53n
  t.is(hashInput({ id: 7n }), hashInput({ id: 7 }))
  t.is(hashInput({ id: exact }), hashInput({ id: 2 ** 53 }))
  t.is(hashInput({ id: exact + 1n }), hashOf('{"id":"9007199254740993"}'))
  t.not(hashInput({ id: exact + 1n }), hashInput({ id: Number(exact + 1n) }))
})

test('integers beyond 2^53 in JSON text stay apart', (t) => {
  t.not(hashInputText('{"id":9007199254740993}'), hashInputText('{"id":9007199254740992}'))
  t.is(hashInputText('{"id":9007199254740993}'), hashInput({ id: 9007199254740993n }))
  const digits = '1'.repeat(60)
  t.not(hashInputText(`[${digits}1]`), hashInputText(`[${digits}2]`))
  t.is(hashInputText('{ "b" : 1.0, "a" : 12 }'), hashInput({ a: 12, b: 1 }))
  t.is(hashInputText('{"n":0.1000000000000000055}'), hashInput({ n: 0.1 }))
})

test('text that is no JSON is hashed as the string it is', (t) => {
  t.is(hashInputText('search for {'), hashOf('"search for {"'))
  t.is(hashInputText(''), hashOf('""'))
})

test('bytes are hashed as their base64 text', (t) => {
  t.is(hashInput({ b: Uint8Array.of(255, 254).subarray(1) }), hashOf('{"b":"/g=="}'))
})

test('a value without a canonical form gives null', (t) => {
  t.is(hashInput(undefined), null)
  t.is(hashInput({ a: Number.NaN }), null)
  t.is(hashInput([Number.POSITIVE_INFINITY]), null)
  t.is(hashInput({ a: 'x\ud800y' }), null)
  t.is(hashInput({ '\udc00': 1 }), null)
  t.is(hashInputText('{"a":"\\ud800"}'), null)
})

test('nesting is bounded', (t) => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  t.is(hashInputText(nested(64)), hashOf(nested(64)))
  t.is(hashInputText(nested(65)), null)
  t.is(hashInputText(nested(100_000)), null)
})

test('any JSON value is hashed in the form that another implementation of RFC 8785 gives it', (t) => {
  const keys = fc.oneof(
    fc.string(),
    fc.nat(20).map(String),
    fc.constantFrom('b', 'a', '10', '9', '\u20ac', '\ud83d\ude00', '\ufb33'),
  )
  const json = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string({ unit: 'grapheme' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(keys, tie('value'), { maxKeys: 6 }),
    ),
  })).value
  fc.assert(
    fc.property(json, (value) => {
      t.is(hashInput(value), hashOf(canonicalize(value) ?? ''))
    }),
    { seed },
  )
})
