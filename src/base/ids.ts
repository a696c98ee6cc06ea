// Identifiers that the service makes, and the shape of those that it accepts.
import { randomFillSync } from 'node:crypto'

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const idBytes = 16
// Filled for many ids at once: a call for each id costs as much as making ten ids.
const entropy = Buffer.allocUnsafeSlow(idBytes * 256)
let entropyUsed = entropy.length

/** Returns `idBytes` random bytes that no other call gets. Valid until the next call. */
function takeEntropy(): Buffer {
  if (entropyUsed === entropy.length) {
    randomFillSync(entropy)
    entropyUsed = 0
  }
  entropyUsed += idBytes
  return entropy.subarray(entropyUsed - idBytes, entropyUsed)
}

const lastSequence = 0xfff
let sequenceMs = -1
let sequence = 0

/** Returns 12 bits that grow within a millisecond. They start in the lower half, so that at least 2,048 ids of a millisecond are in order. */
function takeSequence(nowMs: number, random: number): number {
  sequence = nowMs === sequenceMs ? Math.min(sequence + 1, lastSequence) : random & (lastSequence >> 1)
  sequenceMs = nowMs
  return sequence
}

/**
 * Returns a UUIDv7 (RFC 9562 section 5.7): 48 bits of Unix milliseconds, 12 bits that grow from id to id within a millisecond (section 6.2,
 * method 1) and 62 random bits. The rows that a process writes in one transaction, at one `now()`, therefore sort by id in creation order.
 */
export function makeUuidV7(nowMs: number = Date.now()): string {
  const bytes = takeEntropy()
  bytes.writeUIntBE(nowMs, 0, 6)
  bytes.writeUInt16BE(0x7000 | takeSequence(nowMs, bytes.readUInt16BE(6)), 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The id of nothing. All other ids come after it. */
export const nilUuid = '00000000-0000-0000-0000-000000000000'

/** True for the 36-character text form of any UUID version. */
export const isUuid = (text: string): boolean => uuidPattern.test(text)

/** Returns the 16 bytes of a UUID in text form. */
export const uuidToBytes = (id: string): Buffer<ArrayBuffer> => Buffer.from(id.replaceAll('-', ''), 'hex')
