// Detects log records: OTLP logs and traces have the same envelope, so logs that are sent to the trace path look like spans.
import { Malformed } from '../intake/malformed.ts'
import { type Cursor, readTag, skipField } from './wire.ts'

// Fields of a LogRecord whose numbers a Span uses for ids and events, with another wire type.
const timeTag = 0x09
const severityTag = 0x10
const observedTimeTag = 0x59
// The fields of a Span with the same numbers.
const traceIdTag = 0x0a
const spanIdTag = 0x12

/** True if the message has the time or severity of a log record and neither id of a span. */
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
