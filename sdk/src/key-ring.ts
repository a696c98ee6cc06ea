// SDK. The customer's keys: the current one encrypts, it and the previous ones decrypt. None of them ever leaves the process.
import { webcrypto } from 'node:crypto'

/** As the span carries it and the service gives it back: base64 each. */
export type Sealed = {
  readonly keyId: string
  readonly contentHash: string
  readonly ciphertext: string
  readonly iv: string
  readonly tag: string
}

export type RawKey = { readonly keyId: string; readonly key: Uint8Array }

export type KeyRing = {
  /** With a fresh random IV of 96 bits. */
  readonly seal: (plain: Uint8Array, contentHash: string) => Promise<Sealed>
  /** Null where the key is not known, or the bytes, the key id or the content hash are not those that were sealed. */
  readonly open: (sealed: Sealed) => Promise<Uint8Array | null>
}

const ivBytes = 12
const tagBytes = 16
const algorithm = 'AES-GCM'

/** AES-256-GCM by WebCrypto. The keys are imported once, and cannot be read out again. */
export function makeKeyRing(current: RawKey, previous: readonly RawKey[]): KeyRing {
  const imported = new Map([...previous, current].map(({ keyId, key }) => [keyId, importKey(key)] as const))
  const currentKey = importKey(current.key)

  return {
    async seal(plain, contentHash) {
      const iv = webcrypto.getRandomValues(new Uint8Array(ivBytes))
      const bound = { name: algorithm, iv, additionalData: bind(current.keyId, contentHash), tagLength: tagBytes * 8 }
      const sealed = Buffer.from(await webcrypto.subtle.encrypt(bound, await currentKey, plain))
      return {
        keyId: current.keyId,
        contentHash,
        ciphertext: sealed.toString('base64', 0, sealed.length - tagBytes),
        iv: Buffer.from(iv).toString('base64'),
        tag: sealed.toString('base64', sealed.length - tagBytes),
      }
    },
    async open({ keyId, contentHash, ciphertext, iv, tag }) {
      const key = imported.get(keyId)
      const [ivGiven, tagGiven] = [Buffer.from(iv, 'base64'), Buffer.from(tag, 'base64')]
      if (key === undefined || ivGiven.length !== ivBytes || tagGiven.length !== tagBytes) return null
      const sealed = Buffer.concat([Buffer.from(ciphertext, 'base64'), tagGiven])
      const bound = { name: algorithm, iv: ivGiven, additionalData: bind(keyId, contentHash), tagLength: tagBytes * 8 }
      try {
        return new Uint8Array(await webcrypto.subtle.decrypt(bound, await key, sealed))
      } catch (error) {
        if (error instanceof Error && error.name === 'OperationError') return null
        throw error
      }
    },
  }
}

/** The additional authenticated data. */
const bind = (keyId: string, contentHash: string): Uint8Array =>
  new TextEncoder().encode(`tracewright-tool-result/1\n${JSON.stringify([keyId, contentHash])}`)

function importKey(key: Uint8Array): Promise<webcrypto.CryptoKey> {
  const importing = webcrypto.subtle.importKey('raw', key, algorithm, false, ['encrypt', 'decrypt'])
  // Whoever uses it learns of a failure; where nobody does, it must not end the process.
  importing.catch(() => undefined)
  return importing
}
