// Floor 0. Identifiers that the service makes, and the shape of those that it accepts.
import { randomFillSync } from 'node:crypto'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const idBytes = 16
// Fetched for many ids at once: a call for each costs as much as ten of them.
const entropy = Buffer.allocUnsafeSlow(idBytes * 256)
let entropyUsed = entropy.length

/** Random bytes of nobody else; good until the next call. */
function takeEntropy(): Buffer {
  if (entropyUsed === entropy.length) {
    randomFillSync(entropy)
    entropyUsed = 0
  }
  entropyUsed += idBytes
  return entropy.subarray(entropyUsed - idBytes, entropyUsed)
}

/** A UUIDv7 (RFC 9562 section 5.7): 48 bits of Unix milliseconds, then 74 random bits. */
export function makeUuidV7(nowMs: number = Date.now()): string {
  const bytes = takeEntropy()
  bytes.writeUIntBE(nowMs, 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** True for the 36-character text form of any UUID version. */
export const isUuid = (text: string): boolean => uuidPattern.test(text)

/** The 16 bytes of a UUID in text form. */
export const uuidToBytes = (id: string): Buffer<ArrayBuffer> => Buffer.from(id.replaceAll('-', ''), 'hex')
