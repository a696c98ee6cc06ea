// Floor 0. Keys derived from the service's one secret, and small secrets sealed with them at rest.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const keyBytes = 32
const version = 1
const nonceBytes = 12
const tagBytes = 16

/** HKDF-SHA-256 of the secret, 32 bytes; each purpose has a key of its own. Throws where the secret has fewer than 32 bytes. */
export function deriveKey(secret: Uint8Array, purpose: string): Buffer {
  if (secret.byteLength < keyBytes) throw new Error(`the secret must have at least ${keyBytes} bytes`)
  return Buffer.from(hkdfSync('sha256', secret, new Uint8Array(0), `tracewright ${purpose}`, keyBytes))
}

/** AES-256-GCM under a fresh 96-bit nonce: version byte, nonce, tag, ciphertext. `aad` binds the result to its place. */
export function seal(key: Uint8Array, plaintext: Uint8Array, aad: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(aad))
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), ciphertext])
}

/** What `seal` was given. Throws where the key or the aad is another one, or a bit was changed. */
export function unseal(key: Uint8Array, sealed: Uint8Array, aad: string): Buffer {
  if (sealed[0] !== version || sealed.byteLength < 1 + nonceBytes + tagBytes) {
    throw new Error('not a sealed value of a known version')
  }
  const nonce = sealed.subarray(1, 1 + nonceBytes)
  const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(aad)).setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(1 + nonceBytes + tagBytes)), decipher.final()])
}
