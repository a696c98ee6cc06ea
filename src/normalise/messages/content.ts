// What went into a span and what came out, as messages, from the first dialect that carries it.
import type { Message } from '../../event/event.ts'
import type { Way } from '../merge/definition.ts'
import type { Reading } from '../reading.ts'

/** The messages of one span one way; null where it carries none. Parses only the winner's content. */
export function readContentMessages(reading: Reading, way: Way): readonly Message[] | null {
  for (const read of reading.dialects.messages) {
    const messages = read(reading, way)
    if (messages !== null && messages.length > 0) return messages
  }
  return null
}
