// The short form of an input hash by which a rule lists the inputs that it serves.
import { createHash } from 'node:crypto'

const prefixBytes = 8
const hexBehindColon = /:([0-9a-f]{16})[0-9a-f]*$/i

/**
 * Base64 of 8 bytes: of a hash `<name>:<hex>` its first ones, of any other text those of its SHA-256. SDKs compute the same. Two inputs
 * may share one, so that whoever serves a result compares the whole hash.
 */
export function inputPrefix(hash: string): string {
  const hex = hexBehindColon.exec(hash)?.[1]
  const bytes = hex === undefined ? createHash('sha256').update(hash).digest() : Buffer.from(hex, 'hex')
  return bytes.subarray(0, prefixBytes).toString('base64')
}
