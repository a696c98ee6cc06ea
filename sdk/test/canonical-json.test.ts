import test from 'ava'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { inSoak, seed } from '../../test/_kit/soak.ts'
import { canonicalForm, canonicalText } from '../src/canonical-json.ts'

const limit = 1_000_000

test('any JSON value has the text that RFC 8785 gives it', (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const wellFormed = JSON.stringify(value).isWellFormed() && !/\\ud[89a-f]/i.test(JSON.stringify(value))
      fc.pre(wellFormed)
      return canonicalText(value, limit) === canonicalize(value)
    }),
    { numRuns: inSoak(500, 2_000), seed },
  )
  const odd = { 10: 1, 9: 2, '\u20ac': 'Euro', '\r': 1e21, a: [1.0, -0, 0.000001] }
  t.is(canonicalText(odd, limit), canonicalize(odd) ?? null)
})

test('equal values have equal text, whatever the order of their keys and the members that are undefined', (t) => {
  t.is(
    canonicalText({ b: 1, a: [{ d: 1, c: 2 }] }, limit),
    canonicalText({ a: [{ c: 2, d: 1, e: undefined }], b: 1 }, limit),
  )
  t.not(canonicalText({ a: '1' }, limit), canonicalText({ a: 1 }, limit))
})

test('a value that JSON does not round-trip has no canonical text', (t) => {
  class Point {
    x = 1
  }
  const sparse = [1]
  sparse[2] = 3
  const circular: { self?: object } = {}
  circular.self = circular
  const odd = [
    undefined,
    Number.NaN,
    1n,
    Symbol('x'),
    () => 1,
    new Map(),
    new Date(0),
    new Point(),
    '\ud800',
    { '\ud800': 1 },
    sparse,
    circular,
    new Uint8Array(2),
    { toJSON: () => 1 },
  ]
  for (const value of odd) {
    t.is(canonicalText(value, limit), null)
    t.is(canonicalText({ inside: [value] }, limit), null)
  }
})

test('a key that has a meaning in JavaScript is data', (t) => {
  t.is(canonicalText(JSON.parse('{"__proto__":{"a":1}}'), limit), '{"__proto__":{"a":1}}')
  t.is(canonicalText(Object.assign(Object.create(null) as object, { constructor: 1 }), limit), '{"constructor":1}')
})

test('a text longer than the limit is not built', (t) => {
  t.is(canonicalText('x'.repeat(100), 99), null)
  t.is(
    canonicalText(
      Array.from({ length: 100 }, () => 1),
      99,
    ),
    null,
  )
  t.is(canonicalText('x'.repeat(90), 99)?.length, 92)
})

test('empty arrays and objects count towards the limit', (t) => {
  for (const empty of [[], {}])
    t.is(
      canonicalText(
        Array.from({ length: 50 }, () => empty),
        100,
      ),
      null,
    )
})

test('of an array or an object with more members than the limit has characters, no member is read', (t) => {
  const reads: PropertyKey[] = []
  const watched = <Shape extends object>(shape: Shape): Shape =>
    new Proxy(shape, {
      ownKeys(target) {
        if (Array.isArray(target)) reads.push('the list of all keys')
        return Reflect.ownKeys(target)
      },
      get(target, key) {
        if (key !== 'length' && key !== 'toJSON') reads.push(key)
        return Reflect.get(target, key) as unknown
      },
    })
  const many = Array.from({ length: 1_000 }, () => 1)
  t.deepEqual(canonicalForm(watched(many), 999), { text: null, why: 'too_large' })
  t.deepEqual(canonicalForm(watched(Object.fromEntries(many.entries())), 999), { text: null, why: 'too_large' })
  t.deepEqual(reads, [])
})

test('a value that JSON would drop from an array or object has no canonical text', (t) => {
  class List extends Array<number> {
    toJSON(): string {
      return 'X'
    }
  }
  const hidden = Object.defineProperty({ a: 1 }, 'b', { value: 2, enumerable: false })
  const odd: readonly unknown[] = [
    Object.assign([], { user: 'u2' }),
    new List(),
    List.from([1, 2]),
    'ab'.match(/a(?<x>b)/),
    Object.assign([1], { [Symbol('user')]: 'u2' }),
    { a: 1, [Symbol('user')]: 'u2' },
    hidden,
  ]
  for (const value of odd) t.is(canonicalText(value, 1_000), null)
  t.is(canonicalText([1, [2], {}], 1_000), '[1,[2],{}]')
})
