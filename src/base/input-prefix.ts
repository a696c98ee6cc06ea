// The short form of an input hash by which a rule lists the inputs that it serves.
import { createHash } from 'node:crypto'

const prefixBytes = 8
const hexBehindColon = /:([0-9a-f]{16})[0-9a-f]*$/i

/**
 * Returns 8 bytes in base64: the first 8 of a hash `<name>:<hex>`, or of the SHA-256 of any other text. SDKs compute the same prefix. Two
 * inputs may share a prefix, so code that serves a result must compare the whole hash.
 */
export function inputPrefix(hash: string): string {
  const hex = hexBehindColon.exec(hash)?.[1]
  const bytes = hex === undefined ? createHash('sha256').update(hash).digest() : Buffer.from(hex, 'hex')
  return bytes.subarray(0, prefixBytes).toString('base64')
}
