// Reads the input and output of a span as messages, from the first dialect that has them.
import type { Kind, Message } from '../../event/event.ts'
import type { Way } from '../merge/definition.ts'
import type { Reading } from '../reading.ts'
import { readText } from '../text-steps.ts'

/** Returns the input or output messages of a span; null where it has none. Stops at the first dialect that has messages. */
export function readContentMessages(reading: Reading, way: Way): readonly Message[] | null {
  for (const read of reading.dialects.messages) {
    const messages = read(reading, way)
    if (messages !== null && messages.length > 0) return messages
  }
  return null
}

/** Marks the calls of a message that has their results too: whoever answers with a result ran the tool. */
function markAnswered(message: Message): Message {
  const answered = new Set(message.parts.flatMap((part) => (part.type === 'tool_result' ? (part.id ?? []) : [])))
  if (answered.size === 0) return message
  const parts = message.parts.map((part) =>
    part.type === 'tool_call' && part.id !== null && answered.has(part.id)
      ? { ...part, provider_executed: true as const }
      : part,
  )
  return { ...message, parts }
}

/**
 * As `readContentMessages`, for the output. In the answer of a model, a call with its result in the same message is `provider_executed`,
 * since Vercel's AI SDK 7 states it in no other way. This is not so in the output of an agent, which runs tools itself, also where its
 * span counts as a model call.
 */
export function readAnswerMessages(reading: Reading, kind: Kind): readonly Message[] | null {
  const messages = readContentMessages(reading, 'output')
  if (messages === null || kind !== 'llm') return messages
  const isAgent = readText(reading, reading.dialects.texts.operation, kind) === 'invoke_agent'
  return isAgent
    ? messages
    : messages.map((message) => (message.role === 'assistant' ? markAnswered(message) : message))
}
