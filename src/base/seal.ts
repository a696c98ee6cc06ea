// Keys derived from the service's one secret, and small secrets sealed with them at rest.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const keyBytes = 32
const version = 1
const nonceBytes = 12
const tagBytes = 16

/** The service's secret; while it is being changed, the other one after it. */
export type Secrets = readonly [Uint8Array, ...Uint8Array[]]

/** Keys of one purpose: the first one seals, each of them opens. */
export type SealKeys = readonly [Uint8Array, ...Uint8Array[]]

/** HKDF-SHA-256 of the secret, 32 bytes; each purpose has a key of its own. Throws where the secret has fewer than 32 bytes. */
export function deriveKey(secret: Uint8Array, purpose: string): Buffer {
  if (secret.byteLength < keyBytes) throw new Error(`the secret must have at least ${keyBytes} bytes`)
  return Buffer.from(hkdfSync('sha256', secret, new Uint8Array(0), `tracewright ${purpose}`, keyBytes))
}

/** The key of this purpose of each secret, in the same order. Throws where one has fewer than 32 bytes. */
export function deriveKeys([current, ...others]: Secrets, purpose: string): SealKeys {
  return [deriveKey(current, purpose), ...others.map((secret) => deriveKey(secret, purpose))]
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

/** What `seal` was given under whichever of the keys, and whether that was the first. Throws as `unseal` where it was none of them. */
export function unsealAny(keys: SealKeys, sealed: Uint8Array, aad: string): { plaintext: Buffer; isCurrent: boolean } {
  const faults: unknown[] = []
  for (const [at, key] of keys.entries()) {
    try {
      return { plaintext: unseal(key, sealed, aad), isCurrent: at === 0 }
    } catch (fault) {
      // GCM tells a wrong key by its tag alone.
      faults.push(fault)
    }
  }
  throw faults[0]
}
