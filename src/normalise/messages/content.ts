// Reads the input and output of a span as messages, from the first dialect that has them.
import type { Message } from '../../event/event.ts'
import type { Way } from '../merge/definition.ts'
import type { Reading } from '../reading.ts'

/** Returns the input or output messages of a span; null where it has none. Stops at the first dialect that has messages. */
export function readContentMessages(reading: Reading, way: Way): readonly Message[] | null {
  for (const read of reading.dialects.messages) {
    const messages = read(reading, way)
    if (messages !== null && messages.length > 0) return messages
  }
  return null
}
