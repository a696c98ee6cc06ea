// Derives keys from the secret of the service, and encrypts small secrets at rest with them.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const keyBytes = 32
const version = 1
const nonceBytes = 12
const tagBytes = 16

/** The secret of the service, followed by the other secret while the secret is being changed. */
export type Secrets = readonly [Uint8Array, ...Uint8Array[]]

/** Keys of one purpose: data is sealed with the first and can be opened with each. */
export type SealKeys = readonly [Uint8Array, ...Uint8Array[]]

/** Returns the 32-byte HKDF-SHA-256 key of the secret for a purpose. Throws where the secret has fewer than 32 bytes. */
export function deriveKey(secret: Uint8Array, purpose: string): Buffer {
  if (secret.byteLength < keyBytes) throw new Error(`the secret must have at least ${keyBytes} bytes`)
  return Buffer.from(hkdfSync('sha256', secret, new Uint8Array(0), `tracewright ${purpose}`, keyBytes))
}

/** Returns the key of each secret for a purpose, in the same order. Throws where a secret has fewer than 32 bytes. */
export function deriveKeys([current, ...others]: Secrets, purpose: string): SealKeys {
  return [deriveKey(current, purpose), ...others.map((secret) => deriveKey(secret, purpose))]
}

/** Encrypts with AES-256-GCM and a new 96-bit nonce. Returns version byte, nonce, tag, ciphertext. `aad` binds the result to its context. */
export function seal(key: Uint8Array, plaintext: Uint8Array, aad: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(aad))
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), ciphertext])
}

/** Returns the plaintext that `seal` encrypted. Throws where the key or the aad differs, or a bit was changed. */
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

/** Tries each key. Returns the plaintext, and whether the first key opened it. Throws as `unseal` where no key opens it. */
export function unsealAny(keys: SealKeys, sealed: Uint8Array, aad: string): { plaintext: Buffer; isCurrent: boolean } {
  const faults: unknown[] = []
  for (const [at, key] of keys.entries()) {
    try {
      return { plaintext: unseal(key, sealed, aad), isCurrent: at === 0 }
    } catch (fault) {
      // GCM detects a wrong key only by the tag, like changed data: so every key is tried.
      faults.push(fault)
    }
  }
  throw faults[0]
}
