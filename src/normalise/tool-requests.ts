// Reads which tools a model asks for in its answer. Many instrumentations report the call of the model but not that of the tool.
import type { Kind, ToolRequest } from '../event/event.ts'
import { asLine } from '../event/tool-lines.ts'
import { among, firstText, has } from './attribute.ts'
import { readAnswerMessages } from './messages/content.ts'
import type { Reading } from './reading.ts'
import { hasOwn, isOfAny, readText } from './text-steps.ts'

/** The most requests of one answer that are read. */
const maxRequests = 128

/** How OpenAI, Anthropic, Gemini, Bedrock, Genkit and OpenTelemetry spell a request. An answer without any of these is not parsed. */
const mark = /tool_?(?:call|use|request)|function_?call/i

function mayRequest(reading: Reading): boolean {
  const { attributes, span, dialects } = reading
  const { names, own } = dialects
  if (has(attributes, names.toolRequestMarks) || has(attributes, names.toolCallId)) return true
  if (hasOwn(reading, own.toolRequestMarks)) return true
  for (const key of among(attributes, dialects.answers)) {
    const value = attributes.get(key)
    if (typeof value === 'string' ? mark.test(value) : typeof value === 'object' && value !== null) return true
  }
  // Older conventions and some dialects report messages as events.
  return span.events.some(({ name }) => name.startsWith('gen_ai.') || dialects.answers.all.includes(name))
}

/**
 * Returns the requests of a model call in the order of its answer; none for other kinds, and where spans report each call of a tool. At most
 * 128; more set `truncated`. Cost: two look-ups, and a parse of an answer with requests.
 */
export function readToolRequests(reading: Reading, kind: Kind): readonly ToolRequest[] {
  if (kind !== 'llm' || isOfAny(reading, reading.dialects.eachToolOf) || !mayRequest(reading)) return none
  const requests: ToolRequest[] = []
  for (const { parts } of readAnswerMessages(reading, kind) ?? [])
    for (const part of parts) {
      if (part.type !== 'tool_call' || part.name === '' || part.provider_executed === true) continue
      if (requests.length === maxRequests) {
        reading.flags.add('truncated')
        return requests
      }
      requests.push({ id: part.id === null ? null : asLine(part.id), name: asLine(part.name) })
    }
  return requests.length > 0 ? requests : readNamedTools(reading)
}

/** Returns the requests that the attributes of a tool call on the span of a model call name. Commas separate several (OpenLIT). */
function readNamedTools(reading: Reading): readonly ToolRequest[] {
  const ids = firstText(reading.attributes, reading.dialects.names.toolCallId)
  if (ids === null) return none
  const names = readText(reading, reading.dialects.texts.toolName, 'llm')
  if (names === null) return none
  const listedIds = ids.split(', ')
  const listedNames = names.split(', ')
  if (listedIds.length !== listedNames.length || listedIds.length > maxRequests) return none
  return listedNames.flatMap((name, at) =>
    name === '' ? [] : [{ id: asLine(listedIds[at] ?? ''), name: asLine(name) }],
  )
}

const none: readonly ToolRequest[] = []
