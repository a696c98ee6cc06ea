// Reads KeyValue and AnyValue from protobuf bytes directly into the form that is kept.

import type { AttributeMap, AttributeValue } from '../../event/span.ts'
import { type AttributeBag, admitKey, valueLimit } from '../intake/attribute-bag.ts'
import { cutMarker, type DecodeContext, maxBytesPerUnit, spendNested } from '../intake/clean.ts'
import { Malformed } from '../intake/malformed.ts'
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
import { readTextOf } from './text-protobuf.ts'
import { type Cursor, readBool, readDouble, readInt64, readLength, readTag, skipField } from './wire.ts'
import { eachMessage, enter, findMessage, leave, within } from './wire-message.ts'

const valueTags: ReadonlySet<number> = new Set([stringTag, boolTag, intTag, doubleTag, arrayTag, mapTag, bytesTag])

/** Reads the KeyValue field whose tag was just read into the bag. The last value of a key wins. */
export function readAttribute(cursor: Cursor, bag: AttributeBag, context: DecodeContext): void {
  readKeyValue(cursor, context, (key, keyBytes, value) => {
    if (admitKey(bag, key, keyBytes, context))
      bag.map.set(key, value === null ? null : readValue(value, key, 1, context))
  })
}

/** Calls `keep` with the key and a cursor over the value (null: no value), then moves behind the KeyValue. */
function readKeyValue(
  cursor: Cursor,
  context: DecodeContext,
  keep: (key: string, keyBytes: number, value: Cursor | null) => void,
): void {
  const outerEnd = cursor.end
  const length = readLength(cursor)
  const start = cursor.pos
  const end = start + length
  cursor.end = end
  let key = ''
  let keyBytes = 0
  let valuePos = 0
  let valueEnd = 0
  let values = 0
  while (cursor.pos < end) {
    const tag = readTag(cursor)
    if (tag === keyTag) {
      keyBytes = readLength(cursor)
      key = readTextOf(cursor, keyBytes, context.limits.spanBytes, context)
    } else if (tag === valueTag) {
      const size = readLength(cursor)
      valuePos = cursor.pos
      valueEnd = valuePos + size
      cursor.pos = valueEnd
      values++
    } else skipField(cursor, tag)
  }
  if (values === 0) keep(key, keyBytes, null)
  else if (values === 1) {
    cursor.pos = valuePos
    cursor.end = valueEnd
    keep(key, keyBytes, cursor)
  } else {
    cursor.pos = start
    keep(key, keyBytes, findMessage(cursor, valueTag))
  }
  cursor.pos = end
  cursor.end = outerEnd
}

/** Reads the AnyValue that is the rest of the cursor's message. `key` is the attribute that it is part of. */
export function readValue(cursor: Cursor, key: string, level: number, context: DecodeContext): AttributeValue {
  const { pos: start, end } = cursor
  if (start === end) return null
  if (level > context.limits.depth) {
    checkDepth(cursor, level, context)
    context.flags.add('truncated')
    return cutMarker
  }
  const tag = readTag(cursor)
  const value = readField(cursor, tag, key, level, context)
  if (cursor.pos === end && value !== undefined) return value
  cursor.pos = start
  return readLastField(cursor, key, level, context)
}

/** Reads a oneof as protobuf defines it: the last field wins, and consecutive occurrences of one message field are merged. */
function readLastField(cursor: Cursor, key: string, level: number, context: DecodeContext): AttributeValue {
  let last = 0
  let fieldPos = 0
  let runPos = 0
  let run = 0
  while (cursor.pos < cursor.end) {
    const before = cursor.pos
    const tag = readTag(cursor)
    if (valueTags.has(tag)) {
      if (tag !== last) {
        runPos = before
        run = 0
      }
      run++
      last = tag
      fieldPos = cursor.pos
    }
    skipField(cursor, tag)
  }
  const { pos: end } = cursor
  let value: AttributeValue | undefined = null
  if (run > 1 && (last === arrayTag || last === mapTag)) {
    cursor.pos = runPos
    const merged = findMessage(cursor, last)
    if (merged !== null)
      value = last === arrayTag ? readItems(merged, key, level, context) : readMap(merged, key, level, context)
  } else if (run > 0) {
    cursor.pos = fieldPos
    value = readField(cursor, last, key, level, context)
  }
  cursor.pos = end
  return value ?? null
}

/** Reads one field of an AnyValue. Skips a field with an unknown tag and returns undefined. */
function readField(
  cursor: Cursor,
  tag: number,
  key: string,
  level: number,
  context: DecodeContext,
): AttributeValue | undefined {
  switch (tag) {
    case stringTag: {
      const length = readLength(cursor)
      const { valueBytes } = context.limits
      // Cleaning can triple the length of text. The limit of the key is looked up only if it may matter.
      return readTextOf(
        cursor,
        length,
        length * maxBytesPerUnit > valueBytes ? valueLimit(key, context.limits) : valueBytes,
        context,
      )
    }
    case boolTag:
      return readBool(cursor)
    case intTag:
      return readInt64(cursor)
    case doubleTag: {
      const value = readDouble(cursor)
      return Number.isFinite(value) ? value : String(value)
    }
    case bytesTag:
      return readBytes(cursor, key, context)
    case arrayTag:
    case mapTag: {
      const outerEnd = enter(cursor)
      const value = tag === arrayTag ? readItems(cursor, key, level, context) : readMap(cursor, key, level, context)
      leave(cursor, outerEnd)
      return value
    }
    default:
      skipField(cursor, tag)
      return undefined
  }
}

function readBytes(cursor: Cursor, key: string, context: DecodeContext): AttributeValue {
  const length = readLength(cursor)
  const start = cursor.pos
  cursor.pos += length
  if (length > context.limits.valueBytes && length > valueLimit(key, context.limits)) {
    // Cut bytes could be mistaken for complete ones, so none are kept.
    context.flags.add('truncated')
    return cutMarker
  }
  // A copy: a view would keep the whole request in memory.
  return new Uint8Array(cursor.bytes.subarray(start, cursor.pos))
}

function readItems(cursor: Cursor, key: string, level: number, context: DecodeContext): AttributeValue[] {
  const items: AttributeValue[] = []
  while (cursor.pos < cursor.end) {
    const tag = readTag(cursor)
    if (tag !== itemTag || !spendNested(context)) {
      skipField(cursor, tag)
      continue
    }
    const outerEnd = enter(cursor)
    items.push(readValue(cursor, key, level + 1, context))
    leave(cursor, outerEnd)
  }
  return items
}

function readMap(cursor: Cursor, key: string, level: number, context: DecodeContext): AttributeMap {
  const map: AttributeMap = new Map()
  const { limits } = context
  let entries = 0
  while (cursor.pos < cursor.end) {
    const tag = readTag(cursor)
    if (tag !== itemTag || !spendNested(context)) {
      skipField(cursor, tag)
      continue
    }
    readKeyValue(cursor, context, (name, nameBytes, value) => {
      if (name === '' || nameBytes > limits.keyBytes) context.flags.add('truncated')
      else map.set(name, value === null ? null : readValue(value, key, level + 1, context))
    })
    entries++
  }
  context.lostEntries += entries - map.size
  return map
}

/** Throws Malformed if the AnyValue is nested `refusedDepth` levels deep or more, which no real sender does. */
function checkDepth(cursor: Cursor, level: number, context: DecodeContext): void {
  if (level >= context.limits.refusedDepth) throw new Malformed(`A value is nested ${level} levels deep or more.`)
  const checkInner = (value: Cursor) => checkDepth(value, level + 1, context)
  const checkEntry = (entry: Cursor) => eachMessage(entry, valueTag, checkInner)
  while (cursor.pos < cursor.end) {
    const tag = readTag(cursor)
    if (tag === arrayTag) within(cursor, (items) => eachMessage(items, itemTag, checkInner))
    else if (tag === mapTag) within(cursor, (entries) => eachMessage(entries, itemTag, checkEntry))
    else skipField(cursor, tag)
  }
}
