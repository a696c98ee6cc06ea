// The forms in which dialects report messages on a span, as functions that dialects use.
import type { Message } from '../../event/event.ts'
import { asText, toPlain } from '../attribute.ts'
import { parseStructure, structureOr } from '../json.ts'
import type { MessageRead, Way } from '../merge/definition.ts'
import { readIndexed } from './indexed.ts'
import { readMessages } from './list.ts'

export const defaultRole = (way: Way): string => (way === 'input' ? 'user' : 'assistant')

/** Returns a function that reads attributes with messages, a request, a response or plain text. */
export function inAttributes(input: readonly string[], output: readonly string[]): MessageRead {
  return ({ attributes, flags }, way) => {
    for (const name of way === 'input' ? input : output) {
      const value = attributes.get(name)
      if (value === undefined || value === null || value === '') continue
      const messages = readMessages(typeof value === 'string' ? value : toPlain(value, flags), defaultRole(way), flags)
      if (messages.length > 0) return messages
    }
    return null
  }
}

/** Returns a function that reads messages flattened into attributes with an index in their name. */
export function indexed(inputPrefix: string, outputPrefix: string): MessageRead {
  return ({ attributes, flags }, way) => {
    const list = readIndexed(attributes, way === 'input' ? inputPrefix : outputPrefix, flags)
    return list === null ? null : readMessages(list, defaultRole(way), flags)
  }
}

/** Returns a function that reads an answer whose text, reasoning and tool calls are in separate attributes. */
export function pieces(text: string, reasoning: string, calls: string, object: string): MessageRead {
  return ({ attributes, flags }, way): readonly Message[] | null => {
    if (way === 'input') return null
    const toolCalls = structureOr(toPlain(attributes.get(calls) ?? null, flags), flags)
    const said = asText(attributes.get(text)) ?? asText(attributes.get(object))
    // Sentry writes the texts of all choices as one JSON list.
    const texts = said?.startsWith('["') ? parseStructure(said, flags) : undefined
    const thought = asText(attributes.get(reasoning))
    const hasCalls = Array.isArray(toolCalls) && toolCalls.length > 0
    if (said === null && thought === null && !hasCalls) return null
    return readMessages(
      {
        role: 'assistant',
        content: Array.isArray(texts) ? texts : (said ?? ''),
        ...(thought === null ? {} : { reasoning: thought }),
        ...(hasCalls ? { tool_calls: toolCalls } : {}),
      },
      'assistant',
      flags,
    )
  }
}
