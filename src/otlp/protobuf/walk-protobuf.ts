// The envelope of a protobuf request, walked by hand: first only counted and checked, then each span read alone.
// In loops, without a function made for a request or a span: such a one is compiled anew again and again.

import type { Mending } from '../intake/clean.ts'
import type { SpanDraft } from '../intake/finish-span.ts'
import { type Held, hold, type Intake, takeSpan } from '../intake/intake.ts'
import { TooManySpans } from '../intake/malformed.ts'
import type { Resource, Scope } from '../span.ts'
import { isLogRecord } from './log-record.ts'
import { readResource, readScope } from './resource-protobuf.ts'
import { aimSlicer, openSlicer, type Slicer } from './slice-attributes.ts'
import { readSpan } from './span-protobuf.ts'
import { type Cursor, openCursor, readTag, skipField } from './wire.ts'
import { enter, leave, seek } from './wire-message.ts'

const resourceSpansTag = 0x0a
const scopeSpansTag = 0x12
const spanTag = 0x12

/**
 * How many spans the request carries, counted without making anything. Every field down to the spans is checked.
 * Throws Malformed where the envelope is broken, and TooManySpans at the first span above `max`.
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

/** A span's place in the request, and a cursor of its own, so that a broken span leaves the walk where it was. */
type SpanAt = { readonly cursor: Cursor; start: number; end: number }

function aim({ cursor, start, end }: SpanAt): Cursor {
  cursor.pos = start
  cursor.end = end
  return cursor
}

const readSpanAt = (at: SpanAt, mending: Mending): SpanDraft => readSpan(aim(at), mending)
const isLogRecordAt = (at: SpanAt): boolean => isLogRecord(aim(at))

/**
 * Reads each span of the request and gives how many there were. Throws as `countSpans`, before any span is read. `slicer`: one may serve
 * request after request.
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
    // The bytes go back with the request.
    aimSlicer(slicer, noBytes)
  }
  return received
}

const noBytes = Buffer.alloc(0)

/** The resource of a ResourceSpans, which is read once there is a span of it, and where that stands. */
type Around = { resource: Held<Resource> | null; readonly start: number; readonly end: number }

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
  let scope: Held<Scope> | null = null
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

function holdResource(intake: Intake, at: SpanAt, { start, end }: Around): Held<Resource> {
  at.start = start
  at.end = end
  return hold(intake, 'resource', (mending) => readResource(aim(at), mending))
}

function holdScope(intake: Intake, at: SpanAt, start: number, end: number): Held<Scope> {
  at.start = start
  at.end = end
  return hold(intake, 'scope', (mending) => readScope(aim(at), mending))
}
