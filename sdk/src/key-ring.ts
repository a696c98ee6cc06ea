// SDK. The customer's encryption keys. The current key encrypts; the current and the previous ones decrypt. No key leaves the process.
import { webcrypto } from 'node:crypto'

/** An encrypted result as spans carry it and the service returns it; `ciphertext`, `iv` and `tag` are base64. */
export type Sealed = {
  readonly keyId: string
  readonly contentHash: string
  readonly ciphertext: string
  readonly iv: string
  readonly tag: string
}

export type RawKey = { readonly keyId: string; readonly key: Uint8Array }

export type KeyRing = {
  /** Encrypts with the current key and a fresh random IV of 96 bits. */
  readonly seal: (plain: Uint8Array, contentHash: string) => Promise<Sealed>
  /** Resolves to null where the key is unknown, or the bytes, the key id or the content hash differ from those that were sealed. */
  readonly open: (sealed: Sealed) => Promise<Uint8Array | null>
}

const ivBytes = 12
const tagBytes = 16
const algorithm = 'AES-GCM'

/** Uses AES-256-GCM of WebCrypto. The keys are imported once and cannot be exported. */
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
  // `seal` and `open` await the import and see its failure. Where neither is called, the rejection must not end the process.
  importing.catch(() => undefined)
  return importing
}
