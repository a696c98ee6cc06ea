import test from 'ava'
import { makeKeyRing, type Sealed } from '../src/key-ring.ts'
import { readPlainResult, writePlainResult } from '../src/sealed-result.ts'
import { keyOf } from './_client.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const a = { keyId: 'a', key: keyOf('a') }
const b = { keyId: 'b', key: keyOf('b') }

test('an encrypted value is decrypted by the same key, and does not contain its plaintext', async (t) => {
  const ring = makeKeyRing(a, [])
  const sealed = await ring.seal(bytes('a very secret result'), 'hash')
  t.deepEqual(await ring.open(sealed), bytes('a very secret result'))
  t.false(Buffer.from(sealed.ciphertext, 'base64').includes('secret'))
  t.is(Buffer.from(sealed.iv, 'base64').length, 12)
  t.is(Buffer.from(sealed.tag, 'base64').length, 16)
  t.deepEqual(await ring.open(await ring.seal(bytes(''), 'hash')), bytes(''))
})

test('no two results have the same IV', async (t) => {
  const ring = makeKeyRing(a, [])
  const sealed = await Promise.all(Array.from({ length: 200 }, () => ring.seal(bytes('same'), 'hash')))
  t.is(new Set(sealed.map(({ iv }) => iv)).size, 200)
  t.is(new Set(sealed.map(({ ciphertext }) => ciphertext)).size, 200)
})

test('after a rotation the previous key still decrypts, and only the current one encrypts', async (t) => {
  const old = await makeKeyRing(a, []).seal(bytes('old'), 'hash')
  const rotated = makeKeyRing(b, [a])
  t.deepEqual(await rotated.open(old), bytes('old'))
  t.is((await rotated.seal(bytes('new'), 'hash')).keyId, 'b')
  t.is(await makeKeyRing(b, []).open(old), null)
})

test('a result is not decrypted if any part of it was altered', async (t) => {
  const ring = makeKeyRing(a, [b])
  const sealed = await ring.seal(bytes('result'), 'hash')
  const flip = (text: string): string => {
    const given = Buffer.from(text, 'base64')
    given[0] = (given[0] ?? 0) ^ 1
    return given.toString('base64')
  }
  const changes: Partial<Sealed>[] = [
    { keyId: 'b' },
    { keyId: 'c' },
    { contentHash: 'other' },
    { ciphertext: flip(sealed.ciphertext) },
    { ciphertext: '' },
    { iv: flip(sealed.iv) },
    { iv: '' },
    { tag: flip(sealed.tag) },
    { tag: sealed.tag.slice(0, 8) },
  ]
  for (const change of changes) t.is(await ring.open({ ...sealed, ...change }), null)
})

test('a result is read with all that is said of it', (t) => {
  const header = { tool: 'a "tool"\n', inputHash: null, scopeHash: 's', startMs: 5, endMs: 5.25, form: 'text' } as const
  t.deepEqual(readPlainResult(writePlainResult({ header, text: 'one\ntwo' })), { header, text: 'one\ntwo' })
  const ofVersion02 = bytes('{"v":1,"tool":"a","input_hash":"h","end_ms":7,"form":"json"}\n1')
  t.deepEqual(readPlainResult(ofVersion02), {
    header: { tool: 'a', inputHash: 'h', scopeHash: null, startMs: 7, endMs: 7, form: 'json' },
    text: '1',
  })
  const odd = [
    '',
    'no line',
    '\n',
    'null\nx',
    '{}\nx',
    '{"v":2,"tool":"a","input_hash":null,"end_ms":1,"form":"text"}\nx',
    '{"v":1,"tool":"a","input_hash":null,"end_ms":"1","form":"text"}\nx',
    '{"v":1,"tool":"a","input_hash":null,"start_ms":null,"end_ms":1,"form":"text"}\nx',
    '{"v":1,"tool":"a","input_hash":null,"scope_hash":1,"end_ms":1,"form":"text"}\nx',
  ]
  for (const text of odd) t.is(readPlainResult(bytes(text)), null)
  t.is(readPlainResult(new Uint8Array([0xff, 0x0a])), null)
})
