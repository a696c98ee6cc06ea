// Hashes what redaction replaces, with the key of the workspace.
import { hash } from 'node:crypto'

/** The block and the digest of SHA-256. */
const [blockBytes, digestBytes] = [64, 32]
const [innerPad, outerPad] = [0x36, 0x5c]
/** Longer texts get a buffer of their own. */
const maxTextBytes = 4_096

/**
 * Returns a function for the HMAC-SHA-256 (RFC 2104) of a text in UTF-8, as hexadecimal digits. It makes two hashes in one call each: creating
 * an `Hmac` takes ten times as long where few texts are redacted. The secret must not change.
 */
export function openKeyedHash(secret: Uint8Array): (text: string) => string {
  const key = secret.length > blockBytes ? hash('sha256', secret, 'buffer') : secret
  const inner = Buffer.alloc(blockBytes + maxTextBytes)
  const outer = Buffer.alloc(blockBytes + digestBytes)
  for (let at = 0; at < blockBytes; at++) {
    inner[at] = (key[at] ?? 0) ^ innerPad
    outer[at] = (key[at] ?? 0) ^ outerPad
  }
  const head = inner.subarray(0, blockBytes)
  const join = (text: string): Buffer =>
    text.length * 3 > maxTextBytes
      ? Buffer.concat([head, Buffer.from(text)])
      : inner.subarray(0, blockBytes + inner.write(text, blockBytes))
  return (text) => {
    outer.set(hash('sha256', join(text), 'buffer'), blockBytes)
    return hash('sha256', outer, 'hex')
  }
}
