// The refresh token: version, session, counter, HMAC under the session's own key, and checksum. The same counter always
// gives the same text, so a lost answer can be repeated without storing the token.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { isUuid } from '../../base/ids.ts'

const prefix = 'tw_rt_'
const version = 1
const headBytes = 1 + 16 + 6
const macBytes = 32
const totalBytes = headBytes + macBytes + 4
const textPattern = /^tw_rt_[A-Za-z0-9_-]{79}$/

export type RefreshToken = {
  readonly sessionId: string
  readonly counter: number
  /** Whether the token was made with this session key. */
  readonly isMadeWith: (sessionKey: Uint8Array) => boolean
}

/** Returns the token of this session and counter (0 to 2^48 - 1): 85 characters. */
export function formatRefreshToken(sessionId: string, counter: number, sessionKey: Uint8Array): string {
  const head = Buffer.alloc(headBytes)
  head.writeUInt8(version, 0)
  head.write(sessionId.replaceAll('-', ''), 1, 'hex')
  head.writeUIntBE(counter, 17, 6)
  const body = Buffer.concat([head, sign(head, sessionKey)])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body), 0)
  return prefix + Buffer.concat([body, checksum]).toString('base64url')
}

/** Returns null for malformed text, without a query. A parsed token must still be checked with `isMadeWith`. */
export function parseRefreshToken(text: string): RefreshToken | null {
  if (!textPattern.test(text)) return null
  const bytes = Buffer.from(text.slice(prefix.length), 'base64url')
  // A second text for the same bytes would be a second token.
  if (bytes.byteLength !== totalBytes || prefix + bytes.toString('base64url') !== text) return null
  if (bytes.readUInt8(0) !== version) return null
  if (bytes.readUInt32BE(totalBytes - 4) !== crc32(bytes.subarray(0, totalBytes - 4))) return null
  const hex = bytes.toString('hex', 1, 17)
  const sessionId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  if (!isUuid(sessionId)) return null
  const head = bytes.subarray(0, headBytes)
  const mac = bytes.subarray(headBytes, headBytes + macBytes)
  return {
    sessionId,
    counter: bytes.readUIntBE(17, 6),
    isMadeWith: (sessionKey) => timingSafeEqual(mac, sign(head, sessionKey)),
  }
}

const sign = (head: Uint8Array, sessionKey: Uint8Array): Buffer =>
  createHmac('sha256', sessionKey).update(head).digest()
