// Checks that the bytes of an AnyValue contain only what reading returns: no field occurs twice and none is unknown. Reading itself counts
// the keys of maps that occur twice.

import {
  arrayTag,
  boolTag,
  bytesTag,
  doubleTag,
  intTag,
  itemTag,
  keyTag,
  mapTag,
  stringTag,
  valueTag,
} from './any-value-tags.ts'

const maxDepth = 16

/** Checks the AnyValue from `start` to `end` in one pass. Returns false also if it is nested deeper than 16. */
export function isExactValue(bytes: Uint8Array, start: number, end: number, depth = 0): boolean {
  if (start === end) return true
  if (depth > maxDepth) return false
  switch (bytes[start] as number) {
    case stringTag:
    case bytesTag:
      return endOf(bytes, start + 1, end) === end
    case boolTag:
    case intTag:
      return afterVarint(bytes, start + 1, end) === end
    case doubleTag:
      return start + 9 === end
    case arrayTag:
      return endOf(bytes, start + 1, end) === end && isExactList(bytes, startOf(bytes, start + 1), end, depth, false)
    case mapTag:
      return endOf(bytes, start + 1, end) === end && isExactList(bytes, startOf(bytes, start + 1), end, depth, true)
    default:
      return false
  }
}

function isExactList(bytes: Uint8Array, start: number, end: number, depth: number, isMap: boolean): boolean {
  for (let at = start; at < end; ) {
    const itemEnd = bytes[at] === itemTag ? endOf(bytes, at + 1, end) : -1
    if (itemEnd === -1) return false
    const itemStart = startOf(bytes, at + 1)
    const isExact = isMap
      ? isExactPair(bytes, itemStart, itemEnd, depth)
      : isExactValue(bytes, itemStart, itemEnd, depth + 1)
    if (!isExact) return false
    at = itemEnd
  }
  return true
}

/** True for exactly one key, followed by one value. */
function isExactPair(bytes: Uint8Array, start: number, end: number, depth: number): boolean {
  const keyEnd = bytes[start] === keyTag ? endOf(bytes, start + 1, end) : -1
  if (keyEnd === -1 || keyEnd >= end || bytes[keyEnd] !== valueTag || endOf(bytes, keyEnd + 1, end) !== end)
    return false
  return isExactValue(bytes, startOf(bytes, keyEnd + 1), end, depth + 1)
}

/** Returns the end of the varint at `start`; −1 if it does not end before `end`. */
function afterVarint(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end && at < start + 10; at++) if ((bytes[at] as number) < 0x80) return at + 1
  return -1
}

const startOf = (bytes: Uint8Array, lengthAt: number): number => afterVarint(bytes, lengthAt, bytes.length)

/** Returns the end of the field whose length is at `lengthAt`; −1 if it extends beyond `end` or the length takes more than 4 bytes. */
function endOf(bytes: Uint8Array, lengthAt: number, end: number): number {
  let length = 0
  for (let at = lengthAt, shift = 0; at < end && shift < 28; at++, shift += 7) {
    const byte = bytes[at] as number
    length |= (byte & 0x7f) << shift
    if (byte < 0x80) return at + 1 + length > end ? -1 : at + 1 + length
  }
  return -1
}
