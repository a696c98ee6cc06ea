import test from 'ava'
import { hashInput } from '../../src/sketches/fact.ts'
import { hash32, hash48, hashText, hashText48, shorten } from '../../src/sketches/hash.ts'

test('hash32 is MurmurHash3 for 32 bits', (t) => {
  const known: [string, number][] = [
    ['', 0],
    ['test', 0xba6bd213],
    ['Hello, world!', 0xc0363e43],
    ['The quick brown fox jumps over the lazy dog', 0x2e4ff723],
  ]
  for (const [text, hash] of known) t.is(hash32(Buffer.from(text)), hash, text)
})

test('a part of a buffer has the same hash as a copy of it', (t) => {
  const bytes = Buffer.from('0123456789abcdefghijklmnop')
  for (const [offset, length] of [
    [0, 16],
    [3, 16],
    [5, 7],
    [25, 1],
  ] as const)
    t.is(hash32(bytes, offset, length), hash32(Buffer.from(bytes.subarray(offset, offset + length))))
})

test('hashText is hash32 of the UTF-16 of a text', (t) => {
  for (const text of ['', 'a', 'ab', 'abc', 'größer', '💥 x', 'session-0123456789'])
    t.is(hashText(text), hash32(Buffer.from(text, 'utf16le')), text)
})

test('the same input of two tools is two inputs', (t) => {
  t.not(hashInput('search', 'a'), hashInput('read', 'a'))
  t.is(hashInput('search', 'a'), hashInput('search', 'a'))
})

test('hashes of numbered ids fall evenly', (t) => {
  const shares = new Float64Array(256)
  for (let number = 0; number < 100_000; number++) shares[hashText(`id ${number}`) >>> 24]! += 1
  t.true(shares.every((count) => Math.abs(count - 100_000 / 256) < 5 * Math.sqrt(100_000 / 256)))
})

test('a hash of 48 bits begins with the one of 32, of bytes and of texts', (t) => {
  const id = Buffer.from('0123456789abcdefghijklmnop')
  t.is(shorten(hash48(id, 3, 16)), hash32(id, 3, 16))
  t.is(hash48(id, 3, 16), hash48(Buffer.from(id.subarray(3, 19))))
  for (const text of ['', 'a', 'größer', '💥 x', 'session-0123456789']) t.is(shorten(hashText48(text)), hashText(text))
  t.true(hash48(Buffer.alloc(16, 255)) < 2 ** 48)
})

test('48 bits distinguish 200,000 numbered ids, and 32 do not', (t) => {
  const idOf = (number: number): Buffer => Buffer.from(number.toString(16).padStart(32, '0'), 'hex')
  const numbers = Array.from({ length: 200_000 }, (_, number) => number)
  const sizeOf = (hash: (number: number) => number): number => new Set(numbers.map(hash)).size
  t.is(
    sizeOf((number) => hash48(idOf(number))),
    numbers.length,
  )
  t.is(
    sizeOf((number) => hashText48(`session-${number}`)),
    numbers.length,
  )
  t.true(sizeOf((number) => hashText(`session-${number}`)) < numbers.length)
})

test('the last 16 bits fall evenly, whatever the first are', (t) => {
  const shares = new Float64Array(256)
  for (let number = 0; number < 100_000; number++) shares[hashText48(`id ${number}`) % 256]! += 1
  t.true(shares.every((count) => Math.abs(count - 100_000 / 256) < 5 * Math.sqrt(100_000 / 256)))
})
