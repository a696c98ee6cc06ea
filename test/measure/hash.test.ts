import test from 'ava'
import { hashInput } from '../../src/measure/fact.ts'
import { hash32, hashText } from '../../src/measure/hash.ts'

test('hash32 is MurmurHash3 for 32 bits', (t) => {
  const known: [string, number][] = [
    ['', 0],
    ['test', 0xba6bd213],
    ['Hello, world!', 0xc0363e43],
    ['The quick brown fox jumps over the lazy dog', 0x2e4ff723],
  ]
  for (const [text, hash] of known) t.is(hash32(Buffer.from(text)), hash, text)
})

test('a part of a buffer hashes as it does alone', (t) => {
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
