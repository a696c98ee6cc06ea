// Walks the envelope of a protobuf request: the first pass counts and checks, the second reads each span separately.
// It uses loops and creates no functions for a request or span, since V8 would compile those again and again.

import type { Resource, Scope } from '../../event/span.ts'
import type { DecodeContext } from '../intake/clean.ts'
import type { SpanDraft } from '../intake/finish-span.ts'
import { hold, type Intake, type ReadOnce, takeSpan } from '../intake/intake.ts'
import { TooManySpans } from '../intake/malformed.ts'
import { isLogRecord } from './log-record.ts'
import { readResource, readScope } from './resource-protobuf.ts'
import { aimSlicer, openSlicer, type Slicer } from './slicer.ts'
import { readSpan } from './span-protobuf.ts'
import { type Cursor, openCursor, readTag, skipField } from './wire.ts'
import { enter, leave, seek } from './wire-message.ts'

const resourceSpansTag = 0x0a
const scopeSpansTag = 0x12
const spanTag = 0x12

/**
 * Returns the number of spans in the request, without allocating. Checks every field down to the spans. Throws Malformed if the envelope
 * is broken, and TooManySpans at the first span above `max`.
 */
function countSpans(cursor: Cursor, max: number): number {
  let count = 0
  while (seek(cursor, resourceSpansTag)) {
    const outerEnd = enter(cursor)
    count = countInResource(cursor, count, max)
    leave(cursor, outerEnd)
  }
  return count
}

function countInResource(cursor: Cursor, before: number, max: number): number {
  let count = before
  while (seek(cursor, scopeSpansTag)) {
    const outerEnd = enter(cursor)
    count = countInScope(cursor, count, max)
    leave(cursor, outerEnd)
  }
  return count
}

function countInScope(cursor: Cursor, before: number, max: number): number {
  let count = before
  while (cursor.pos < cursor.end) {
    const tag = readTag(cursor)
    if (tag === spanTag && ++count > max) throw new TooManySpans()
    skipField(cursor, tag)
  }
  return count
}

/** The position of a span in the request, with a separate cursor, so that a broken span does not move the cursor of the walk. */
type SpanAt = { readonly cursor: Cursor; start: number; end: number }

function aim({ cursor, start, end }: SpanAt): Cursor {
  cursor.pos = start
  cursor.end = end
  return cursor
}

const readSpanAt = (at: SpanAt, context: DecodeContext): SpanDraft => readSpan(aim(at), context)
const isLogRecordAt = (at: SpanAt): boolean => isLogRecord(aim(at))

/**
 * Reads each span of the request and returns their number. Throws as `countSpans`, before any span is read. `slicer` may be reused for other
 * requests.
 */
export function takeProtobuf(body: Uint8Array, intake: Intake, slicer: Slicer = openSlicer()): number {
  const received = countSpans(openCursor(body), intake.limits.spansPerRequest)
  const cursor = openCursor(body, slicer)
  const at: SpanAt = { cursor: openCursor(body, slicer), start: 0, end: 0 }
  aimSlicer(slicer, cursor.bytes)
  try {
    while (seek(cursor, resourceSpansTag)) {
      const outerEnd = enter(cursor)
      takeResource(cursor, at, intake)
      leave(cursor, outerEnd)
    }
  } finally {
    // The slicer must not keep the bytes after the request.
    aimSlicer(slicer, noBytes)
  }
  return received
}

const noBytes = Buffer.alloc(0)

/** The resource of a ResourceSpans (null until its first span is reached), and the bounds of the ResourceSpans. */
type Around = { resource: ReadOnce<Resource> | null; readonly start: number; readonly end: number }

function takeResource(cursor: Cursor, at: SpanAt, intake: Intake): void {
  const around: Around = { resource: null, start: cursor.pos, end: cursor.end }
  while (seek(cursor, scopeSpansTag)) {
    const outerEnd = enter(cursor)
    takeScope(cursor, at, intake, around)
    leave(cursor, outerEnd)
  }
}

function takeScope(cursor: Cursor, at: SpanAt, intake: Intake, around: Around): void {
  const { pos: start, end } = cursor
  let scope: ReadOnce<Scope> | null = null
  while (seek(cursor, spanTag)) {
    const outerEnd = enter(cursor)
    around.resource ??= holdResource(intake, at, around)
    scope ??= holdScope(intake, at, start, end)
    at.start = cursor.pos
    at.end = cursor.end
    takeSpan(intake, around.resource, scope, at, readSpanAt, isLogRecordAt)
    leave(cursor, outerEnd)
  }
}

function holdResource(intake: Intake, at: SpanAt, { start, end }: Around): ReadOnce<Resource> {
  at.start = start
  at.end = end
  return hold(intake, 'resource', (context) => readResource(aim(at), context))
}

function holdScope(intake: Intake, at: SpanAt, start: number, end: number): ReadOnce<Scope> {
  at.start = start
  at.end = end
  return hold(intake, 'scope', (context) => readScope(aim(at), context))
}
