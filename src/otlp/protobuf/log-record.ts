// Tells a log record from a span: OTLP logs and traces have the same envelope, so logs sent to the trace path look like spans.
import { Malformed } from '../intake/malformed.ts'
import { type Cursor, readTag, skipField } from './wire.ts'

// The fields of a LogRecord where a Span has ids, or events, of another wire type.
const timeTag = 0x09
const severityTag = 0x10
const observedTimeTag = 0x59
// What a Span has there.
const traceIdTag = 0x0a
const spanIdTag = 0x12

/** True where the message has a log record's time or severity and neither of a span's ids. */
export function isLogRecord(cursor: Cursor): boolean {
  let isLog = false
  try {
    while (cursor.pos < cursor.end) {
      const tag = readTag(cursor)
      if (tag === traceIdTag || tag === spanIdTag) return false
      if (tag === timeTag || tag === severityTag || tag === observedTimeTag) isLog = true
      skipField(cursor, tag)
    }
  } catch (error) {
    if (error instanceof Malformed) return false
    throw error
  }
  return isLog
}
