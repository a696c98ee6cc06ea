// Reads the fields of one span from protobuf bytes.

import type { Attributes, SpanEvent, SpanLink } from '../../event/span.ts'
import { type AttributeBag, openBag } from '../intake/attribute-bag.ts'
import { type DecodeContext, holderCost, spendNested } from '../intake/clean.ts'
import { isSpanId, isTraceId, openDraft, requireSpanSize, type SpanDraft } from '../intake/finish-span.ts'
import { finishSlices, sliceAttribute } from './slice-attributes.ts'
import { clearSlices, type Slicer } from './slicer.ts'
import { readIdText } from './text-cache.ts'
import { readString } from './text-protobuf.ts'
import { readAttribute } from './value-protobuf.ts'
import { type Cursor, readFixed64, readInt32, readLength, readTag, skipField } from './wire.ts'
import { enter, leave, within } from './wire-message.ts'

const attributeTag = 0x4a
/** The flags of a span: a number that is not used here and cannot contain a secret. */
const traceFlagsTag = 0x85
const traceIdBytes = 16
const spanIdBytes = 8

/**
 * Reads the span that is the cursor's message. Attributes become slices of the request if none has to be corrected, and are decoded one by
 * one otherwise. Throws Malformed for broken bytes. `mending.flags` must be empty: any flag afterwards means that the span was corrected.
 */
export function readSpan(cursor: Cursor, context: DecodeContext): SpanDraft {
  requireSpanSize(cursor.end - cursor.pos, context.limits)
  return (cursor.slicer === null ? null : readPlainSpan(cursor, cursor.slicer, context)) ?? readAnySpan(cursor, context)
}

function readPlainSpan(cursor: Cursor, slicer: Slicer, context: DecodeContext): SpanDraft | null {
  const { pos: start, end, bytes } = cursor
  const { nestedLeft, flags } = context
  const draft = openDraft(noAttributes)
  clearSlices(slicer)
  const isPlain = readFields(cursor, draft, context, slicer, null)
  const attributes = isPlain ? finishSlices(slicer) : null
  if (attributes === null) {
    cursor.pos = start
    cursor.end = end
    context.nestedLeft = nestedLeft
    flags.clear()
    return null
  }
  draft.attributes = attributes
  if (flags.size === 0 && draft.isExact) draft.received = bytes.subarray(start, end)
  return draft
}

const noAttributes: Attributes = new Map()

function readAnySpan(cursor: Cursor, context: DecodeContext): SpanDraft {
  const bag = openBag('span')
  const draft = openDraft(bag.map)
  readFields(cursor, draft, context, null, bag)
  draft.attributesCut = bag.dropped
  return draft
}

/** Reads the message into the draft, and its attributes into the bag or, without a bag, into slices. False if a slice is not plain. */
function readFields(
  cursor: Cursor,
  draft: SpanDraft,
  context: DecodeContext,
  slicer: Slicer | null,
  bag: AttributeBag | null,
): boolean {
  const { limits } = context
  let seen = 0
  while (cursor.pos < cursor.end) {
    const tag = readTag(cursor)
    if (tag !== attributeTag) {
      // Of a field that occurs twice only the last is used.
      const bit = 1 << (tag >>> 3)
      if ((seen & bit) !== 0) draft.isExact = false
      seen |= bit
    }
    switch (tag) {
      case 0x0a:
        draft.traceId = readId(cursor, traceIdBytes, slicer)
        break
      case 0x12:
        draft.spanId = readId(cursor, spanIdBytes, slicer)
        break
      case 0x1a:
        draft.traceState = readString(cursor, limits.nameBytes, context)
        break
      case 0x22:
        draft.parentSpanId = readId(cursor, spanIdBytes, slicer)
        if (draft.parentSpanId === null) draft.isExact = false
        break
      case 0x2a:
        draft.name = readString(cursor, limits.nameBytes, context)
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
      case attributeTag:
        if (bag !== null) readAttribute(cursor, bag, context)
        else if (slicer === null || !sliceAttribute(slicer, cursor, context)) return false
        break
      case 0x50:
        draft.droppedAttributesCount = readInt32(cursor) >>> 0
        break
      case 0x5a:
        // Events and links are too rare to check whether their bytes are exact.
        draft.isExact = false
        readEvent(cursor, draft, context)
        break
      case 0x60:
        draft.droppedEventsCount = readInt32(cursor) >>> 0
        break
      case 0x6a:
        draft.isExact = false
        readLink(cursor, draft, context)
        break
      case 0x70:
        draft.droppedLinksCount = readInt32(cursor) >>> 0
        break
      case 0x7a: {
        const outerEnd = enter(cursor)
        readStatus(cursor, draft, context)
        leave(cursor, outerEnd)
        break
      }
      default:
        if (tag !== traceFlagsTag) draft.isExact = false
        skipField(cursor, tag)
    }
  }
  return true
}

/** Returns the hex of an id field: '' if it is empty, null if its length is wrong. */
function readId(cursor: Cursor, bytes: number, slicer: Slicer | null): string | null {
  const length = readLength(cursor)
  const start = cursor.pos
  cursor.pos += length
  if (length === 0) return ''
  if (length !== bytes) return null
  return slicer === null ? cursor.bytes.toString('hex', start, cursor.pos) : readIdText(slicer.ids, start, length)
}

function readEvent(cursor: Cursor, draft: SpanDraft, context: DecodeContext): void {
  if (draft.events.length >= context.limits.events || !spendNested(context, holderCost)) {
    context.flags.add('truncated')
    draft.eventsCut++
    skipMessage(cursor)
    return
  }
  draft.events.push(within(cursor, (event) => readEventFields(event, openBag('event'), context)))
}

function readEventFields(cursor: Cursor, bag: AttributeBag, context: DecodeContext): SpanEvent {
  let timeUnixNano = 0n
  let name = ''
  while (cursor.pos < cursor.end) {
    const tag = readTag(cursor)
    if (tag === 0x09) timeUnixNano = readFixed64(cursor)
    else if (tag === 0x12) name = readString(cursor, context.limits.nameBytes, context)
    else if (tag === 0x1a) readAttribute(cursor, bag, context)
    else skipField(cursor, tag)
  }
  return { name, timeUnixNano, attributes: bag.map }
}

function readLink(cursor: Cursor, draft: SpanDraft, context: DecodeContext): void {
  if (draft.links.length >= context.limits.links || !spendNested(context, holderCost)) {
    context.flags.add('truncated')
    draft.linksCut++
    skipMessage(cursor)
    return
  }
  const link = within(cursor, (inner) => readLinkFields(inner, openBag('link'), context))
  if (link === null) draft.linksCut++
  else draft.links.push(link)
}

/** Returns null if the link has no valid ids. */
function readLinkFields(cursor: Cursor, bag: AttributeBag, context: DecodeContext): SpanLink | null {
  let traceId: string | null = ''
  let spanId: string | null = ''
  while (cursor.pos < cursor.end) {
    const tag = readTag(cursor)
    if (tag === 0x0a) traceId = readId(cursor, traceIdBytes, null)
    else if (tag === 0x12) spanId = readId(cursor, spanIdBytes, null)
    else if (tag === 0x22) readAttribute(cursor, bag, context)
    else skipField(cursor, tag)
  }
  return isTraceId(traceId) && isSpanId(spanId) ? { traceId, spanId, attributes: bag.map } : null
}

function readStatus(status: Cursor, draft: SpanDraft, context: DecodeContext): void {
  let seen = 0
  while (status.pos < status.end) {
    const tag = readTag(status)
    const bit = tag === 0x12 ? 1 : tag === 0x18 ? 2 : 0
    if (bit === 0 || (seen & bit) !== 0) draft.isExact = false
    seen |= bit
    if (bit === 1) draft.statusMessage = readString(status, context.limits.valueBytes, context)
    else if (bit === 2) draft.statusCode = readInt32(status)
    else skipField(status, tag)
  }
}

function skipMessage(cursor: Cursor): void {
  const length = readLength(cursor)
  cursor.pos += length
}
