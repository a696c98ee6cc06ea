// Floor 1. The tools that a model asks for in its answer. Many instrumentations report the call of the model and not that of the tool.
import type { Kind, ToolRequest } from '../event/event.ts'
import { asLine } from '../event/tool-lines.ts'
import { among, has } from './attribute.ts'
import { readContentMessages } from './messages/content.ts'
import type { Reading } from './reading.ts'

/** Requests of one answer that are read. */
const maxRequests = 128

/** How OpenAI, Anthropic, Gemini, Bedrock and OpenTelemetry spell a request. An answer without it is not parsed. */
const mark = /tool_?call|tool_?use|function_?call/i

function mayRequest(reading: Reading): boolean {
  const { attributes, span, dialects } = reading
  if (has(attributes, dialects.names.toolRequestMarks)) return true
  for (const key of among(attributes, dialects.answers)) {
    const value = attributes.get(key)
    if (typeof value === 'string' ? mark.test(value) : typeof value === 'object' && value !== null) return true
  }
  // Older forms put messages into events.
  return span.events.some(({ name }) => name.startsWith('gen_ai.'))
}

/** In the order of the answer; at most 128, else `truncated`. Only of a call of a model. Cost: two look-ups; a parse of an answer with requests. */
export function readToolRequests(reading: Reading, kind: Kind): readonly ToolRequest[] {
  if (kind !== 'llm' || !mayRequest(reading)) return none
  const requests: ToolRequest[] = []
  for (const { parts } of readContentMessages(reading, 'output') ?? [])
    for (const part of parts) {
      if (part.type !== 'tool_call' || part.name === '') continue
      if (requests.length === maxRequests) {
        reading.flags.add('truncated')
        return requests
      }
      requests.push({ id: part.id === null ? null : asLine(part.id), name: asLine(part.name) })
    }
  return requests
}

const none: readonly ToolRequest[] = []
