// Floor 1. The envelope of a protobuf request, walked by hand: first only counted and checked, then each span read alone.
import { hold, type Intake, takeSpan } from '../intake/intake.ts'
import { TooManySpans } from '../intake/malformed.ts'
import { openKeyBook } from './key-book.ts'
import { isLogRecord } from './log-record.ts'
import { readResource, readScope } from './resource-protobuf.ts'
import { openSlicer } from './slice-attributes.ts'
import { readSpan } from './span-protobuf.ts'
import { openTextCache } from './text-cache.ts'
import { type Cursor, openCursor, readTag, skipField } from './wire.ts'
import { eachMessage } from './wire-message.ts'

const resourceSpansTag = 0x0a
const scopeSpansTag = 0x12
const spanTag = 0x12

/**
 * How many spans the request carries, counted without making anything. Every field down to the spans is checked.
 * Throws Malformed where the envelope is broken, and TooManySpans at the first span above `max`.
 */
function countSpans(body: Uint8Array, max: number): number {
  let count = 0
  const countScope = (scope: Cursor) => {
    while (scope.pos < scope.end) {
      const tag = readTag(scope)
      if (tag === spanTag && ++count > max) throw new TooManySpans()
      skipField(scope, tag)
    }
  }
  eachMessage(openCursor(body), resourceSpansTag, (resource) => eachMessage(resource, scopeSpansTag, countScope))
  return count
}

/** Reads each span of the request and gives how many there were. Throws as `countSpans`, before any span is read. */
export function takeProtobuf(body: Uint8Array, intake: Intake): number {
  const received = countSpans(body, intake.limits.spansPerRequest)
  const plain = openCursor(body)
  const cache = openTextCache(plain.bytes)
  const cursor = { ...plain, cache, slicer: openSlicer(openKeyBook(plain.bytes), cache) }
  eachMessage(cursor, resourceSpansTag, (resourceSpans) => {
    const { pos: resourcePos, end: resourceEnd } = resourceSpans
    let resource: ReturnType<typeof holdResource> | null = null
    eachMessage(resourceSpans, scopeSpansTag, (scopeSpans) => {
      const { pos: scopePos, end: scopeEnd } = scopeSpans
      let scope: ReturnType<typeof holdScope> | null = null
      eachMessage(scopeSpans, spanTag, (span) => {
        resource ??= holdResource(intake, { ...cursor, pos: resourcePos, end: resourceEnd })
        scope ??= holdScope(intake, { ...cursor, pos: scopePos, end: scopeEnd })
        // Copies, so that a broken span leaves this walk where it was.
        const { pos, end } = span
        takeSpan(
          intake,
          resource,
          scope,
          (mending) => readSpan({ ...cursor, pos, end }, mending),
          () => isLogRecord({ ...cursor, pos, end }),
        )
      })
    })
  })
  return received
}

const holdResource = (intake: Intake, at: Cursor) => hold(intake, 'resource', (mending) => readResource(at, mending))

const holdScope = (intake: Intake, at: Cursor) => hold(intake, 'scope', (mending) => readScope(at, mending))
