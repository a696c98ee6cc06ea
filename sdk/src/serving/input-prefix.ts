// SDK. The short form of an input hash by which a rule lists the inputs that it serves.
import { createHash } from 'node:crypto'

const hexBehindColon = /:([0-9a-f]{16})[0-9a-f]*$/i

/**
 * Returns the base64 of the first 8 bytes of the hex digits behind the last colon, or of the SHA-256 of any other text. The service has the
 * same function. Two inputs of one rule have the same prefix with a probability of about 1 in 2⁶⁴, and the full hash is checked before a
 * result is served.
 */
export function inputPrefix(hash: string): string {
  const hex = hexBehindColon.exec(hash)?.[1]
  const bytes = hex === undefined ? createHash('sha256').update(hash).digest().subarray(0, 8) : Buffer.from(hex, 'hex')
  return bytes.toString('base64')
}
