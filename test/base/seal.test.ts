import { randomBytes } from 'node:crypto'
import test from 'ava'
import { deriveKey, deriveKeys, seal, unseal, unsealAny } from '../../src/base/seal.ts'

const secret = randomBytes(32)

test('a sealed value is opened unchanged, and no two sealings are equal', (t) => {
  const key = deriveKey(secret, 'a')
  const plain = Buffer.from('private key')
  const [one, two] = [seal(key, plain, 'kid'), seal(key, plain, 'kid')]
  t.deepEqual(unseal(key, one, 'kid'), plain)
  t.notDeepEqual(one, two)
  t.false(one.includes(plain))
})

test('another purpose, another place or a changed bit is an error', (t) => {
  const key = deriveKey(secret, 'a')
  const sealed = seal(key, Buffer.from('private key'), 'kid')
  t.throws(() => unseal(deriveKey(secret, 'b'), sealed, 'kid'))
  t.throws(() => unseal(key, sealed, 'other kid'))
  for (let at = 0; at < sealed.byteLength; at += 1) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(sealed.readUInt8(at) ^ 1, at)
    t.throws(() => unseal(key, changed, 'kid'), undefined, `byte ${at}`)
  }
  t.throws(() => unseal(key, sealed.subarray(0, 20), 'kid'))
})

test('a short secret is refused', (t) => {
  t.throws(() => deriveKey(randomBytes(31), 'a'), { message: /at least 32 bytes/ })
})

test('of two secrets the first seals and both open, and the result says which one opened', (t) => {
  const other = randomBytes(32)
  const keys = deriveKeys([secret, other], 'a')
  const plaintext = Buffer.from('private key')
  t.deepEqual(unsealAny(keys, seal(deriveKey(secret, 'a'), plaintext, 'kid'), 'kid'), { plaintext, isCurrent: true })
  t.deepEqual(unsealAny(keys, seal(deriveKey(other, 'a'), plaintext, 'kid'), 'kid'), { plaintext, isCurrent: false })
  t.throws(() => unsealAny(keys, seal(deriveKey(randomBytes(32), 'a'), plaintext, 'kid'), 'kid'))
  t.throws(() => unsealAny(keys, seal(deriveKey(other, 'a'), plaintext, 'kid'), 'other kid'))
})
