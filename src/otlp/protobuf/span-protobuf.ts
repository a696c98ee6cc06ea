// Floor 1. The fields of one span from protobuf bytes.
import { type AttributeBag, openBag } from '../intake/attribute-bag.ts'
import { holderCost, type Mending, spendNested } from '../intake/clean.ts'
import { isSpanId, isTraceId, openDraft, requireSpanSize, type SpanDraft } from '../intake/finish-span.ts'
import type { Attributes, SpanEvent, SpanLink } from '../span.ts'
import { clearSlices, finishSlices, type Slicer, sliceAttribute } from './slice-attributes.ts'
import { readText } from './text-protobuf.ts'
import { readAttribute } from './value-protobuf.ts'
import { type Cursor, openCursor, readFixed64, readInt32, readLength, readTag, skipField } from './wire.ts'
import { within } from './wire-message.ts'

const traceIdBytes = 16
const spanIdBytes = 8

/**
 * Reads the span that fills the cursor's message: its attributes as slices of the request where nothing of them has to be mended, and
 * else decoded one by one. Throws Malformed where its bytes are broken.
 */
export function readSpan(cursor: Cursor, mending: Mending): SpanDraft {
  requireSpanSize(cursor.end - cursor.pos, mending.limits)
  return (cursor.slicer === null ? null : readPlainSpan(cursor, cursor.slicer, mending)) ?? readAnySpan(cursor, mending)
}

function readPlainSpan(cursor: Cursor, slicer: Slicer, mending: Mending): SpanDraft | null {
  const { pos: start, end, bytes } = cursor
  const { nestedLeft, flags } = mending
  const before = [...flags]
  const draft = openDraft(noAttributes)
  clearSlices(slicer)
  const isPlain = readFields(cursor, draft, mending, slicer, null)
  const attributes = isPlain ? finishSlices(slicer) : null
  if (attributes === null) {
    cursor.pos = start
    cursor.end = end
    mending.nestedLeft = nestedLeft
    mending.flags = new Set(before)
    return null
  }
  draft.attributes = attributes
  if (flags.size === before.length && isExact(cursor.bytes, start, end, draft))
    draft.received = bytes.subarray(start, end)
  return draft
}

const noAttributes: Attributes = new Map()

/**
 * Whether the span's bytes hold what was read and nothing else: no field that nobody knows, and none told twice of which only the last
 * was looked at. Attributes are exact already; events, links and a status are too seldom told to be looked through.
 */
function isExact(bytes: Uint8Array, start: number, end: number, draft: SpanDraft): boolean {
  if (draft.events.length > 0 || draft.links.length > 0) return false
  const cursor = { ...openCursor(bytes), pos: start, end }
  let seen = 0
  while (cursor.pos < cursor.end) {
    const tag = readTag(cursor)
    if (tag !== attributeTag) {
      const bit = singleTags.indexOf(tag)
      if (bit === -1 || (seen & (1 << bit)) !== 0) return false
      seen |= 1 << bit
    }
    if (tag === statusTag && !isExactStatus(cursor)) return false
    if (tag !== statusTag) skipField(cursor, tag)
  }
  return true
}

const attributeTag = 0x4a
const statusTag = 0x7a
const singleTags: readonly number[] = [
  0x0a,
  0x12,
  0x1a,
  0x22,
  0x2a,
  0x30,
  0x39,
  0x41,
  0x50,
  0x60,
  0x70,
  statusTag,
  0x85,
]

/** A message, a code, or both. */
function isExactStatus(cursor: Cursor): boolean {
  return within(cursor, (status) => {
    let seen = 0
    while (status.pos < status.end) {
      const tag = readTag(status)
      const bit = tag === 0x12 ? 1 : tag === 0x18 ? 2 : 0
      if (bit === 0 || (seen & bit) !== 0) return false
      seen |= bit
      skipField(status, tag)
    }
    return true
  })
}

function readAnySpan(cursor: Cursor, mending: Mending): SpanDraft {
  const bag = openBag()
  const draft = openDraft(bag.map)
  readFields(cursor, draft, mending, null, bag)
  draft.attributesCut = bag.dropped
  return draft
}

/** Reads the message into the draft, its attributes into the bag; without a bag into slices, and false where one is not plain. */
function readFields(
  cursor: Cursor,
  draft: SpanDraft,
  mending: Mending,
  slicer: Slicer | null,
  bag: AttributeBag | null,
): boolean {
  const { limits } = mending
  while (cursor.pos < cursor.end) {
    const tag = readTag(cursor)
    switch (tag) {
      case 0x0a:
        draft.traceId = readId(cursor, traceIdBytes)
        break
      case 0x12:
        draft.spanId = readId(cursor, spanIdBytes)
        break
      case 0x1a:
        draft.traceState = readText(cursor, limits.nameBytes, mending)
        break
      case 0x22:
        draft.parentSpanId = readId(cursor, spanIdBytes)
        break
      case 0x2a:
        draft.name = readText(cursor, limits.nameBytes, mending)
        break
      case 0x30:
        draft.spanKind = readInt32(cursor)
        break
      case 0x39:
        draft.startTimeUnixNano = readFixed64(cursor)
        break
      case 0x41:
        draft.endTimeUnixNano = readFixed64(cursor)
        break
      case 0x4a:
        if (bag !== null) readAttribute(cursor, bag, mending)
        else if (slicer === null || !sliceAttribute(slicer, cursor, mending)) return false
        break
      case 0x50:
        draft.droppedAttributesCount = readInt32(cursor) >>> 0
        break
      case 0x5a:
        readEvent(cursor, draft, mending)
        break
      case 0x60:
        draft.droppedEventsCount = readInt32(cursor) >>> 0
        break
      case 0x6a:
        readLink(cursor, draft, mending)
        break
      case 0x70:
        draft.droppedLinksCount = readInt32(cursor) >>> 0
        break
      case 0x7a:
        within(cursor, (status) => readStatus(status, draft, mending))
        break
      default:
        skipField(cursor, tag)
    }
  }
  return true
}

/** The hex of an id field; '' where it is empty, null where its length is wrong. */
function readId(cursor: Cursor, bytes: number): string | null {
  const length = readLength(cursor)
  const start = cursor.pos
  cursor.pos += length
  if (length === 0) return ''
  return length === bytes ? cursor.bytes.toString('hex', start, cursor.pos) : null
}

function readEvent(cursor: Cursor, draft: SpanDraft, mending: Mending): void {
  if (draft.events.length >= mending.limits.events || !spendNested(mending, holderCost)) {
    mending.flags.add('truncated')
    draft.eventsCut++
    skipMessage(cursor)
    return
  }
  draft.events.push(within(cursor, (event) => readEventFields(event, openBag(true), mending)))
}

function readEventFields(cursor: Cursor, bag: AttributeBag, mending: Mending): SpanEvent {
  let timeUnixNano = 0n
  let name = ''
  while (cursor.pos < cursor.end) {
    const tag = readTag(cursor)
    if (tag === 0x09) timeUnixNano = readFixed64(cursor)
    else if (tag === 0x12) name = readText(cursor, mending.limits.nameBytes, mending)
    else if (tag === 0x1a) readAttribute(cursor, bag, mending)
    else skipField(cursor, tag)
  }
  return { name, timeUnixNano, attributes: bag.map }
}

function readLink(cursor: Cursor, draft: SpanDraft, mending: Mending): void {
  if (draft.links.length >= mending.limits.links || !spendNested(mending, holderCost)) {
    mending.flags.add('truncated')
    draft.linksCut++
    skipMessage(cursor)
    return
  }
  const link = within(cursor, (inner) => readLinkFields(inner, openBag(true), mending))
  if (link === null) draft.linksCut++
  else draft.links.push(link)
}

/** Null where the link leads to no valid span. */
function readLinkFields(cursor: Cursor, bag: AttributeBag, mending: Mending): SpanLink | null {
  let traceId: string | null = ''
  let spanId: string | null = ''
  while (cursor.pos < cursor.end) {
    const tag = readTag(cursor)
    if (tag === 0x0a) traceId = readId(cursor, traceIdBytes)
    else if (tag === 0x12) spanId = readId(cursor, spanIdBytes)
    else if (tag === 0x22) readAttribute(cursor, bag, mending)
    else skipField(cursor, tag)
  }
  return isTraceId(traceId) && isSpanId(spanId) ? { traceId, spanId, attributes: bag.map } : null
}

function readStatus(cursor: Cursor, draft: SpanDraft, mending: Mending): void {
  while (cursor.pos < cursor.end) {
    const tag = readTag(cursor)
    if (tag === 0x12) draft.statusMessage = readText(cursor, mending.limits.valueBytes, mending)
    else if (tag === 0x18) draft.statusCode = readInt32(cursor)
    else skipField(cursor, tag)
  }
}

function skipMessage(cursor: Cursor): void {
  const length = readLength(cursor)
  cursor.pos += length
}
