// Floor 1. What LangChain knows of itself and OpenInference passes on as JSON: the run's metadata, and a tool's message.
import { anyOf } from '../otlp/names.ts'
import { asText, bounded, maxNameChars } from './attribute.ts'
import { isObject, type JsonObject } from './json.ts'
import type { Reading } from './reading.ts'
import { openInferenceOutputNames } from './shared-names.ts'

const metadataNames = anyOf('metadata')

type Note = 'lc_agent_name' | 'ls_provider' | 'user_id'

/** One entry of a LangChain run's metadata; null on spans of other senders. Cost: the metadata is parsed once a span. */
export function readLangChainNote(reading: Reading, name: Note): string | null {
  if (!reading.isLangChain) return null
  const value = reading.object(metadataNames)?.[name]
  return typeof value === 'string' ? asText(value) : null
}

/** The message that a model call gave; null for several. */
function readLangChainAnswer(reading: Reading): JsonObject | null {
  const generations = reading.object(openInferenceOutputNames)?.['generations']
  const answers: unknown = Array.isArray(generations) && generations.length === 1 ? generations[0] : null
  const answer: unknown = Array.isArray(answers) && answers.length === 1 ? answers[0] : null
  const message = isObject(answer) ? answer['message'] : undefined
  const fields = isObject(message) ? message['kwargs'] : undefined
  return isObject(fields) ? fields : null
}

/** The id of that message, which is the provider's own for its response. */
export function readLangChainMessageId(reading: Reading): string | null {
  const id = readLangChainAnswer(reading)?.['id']
  return typeof id === 'string' ? bounded(id, maxNameChars, reading.flags) : null
}

/** The UsageMetadata of that message. */
export function readLangChainUsage(reading: Reading): JsonObject | null {
  const usage = readLangChainAnswer(reading)?.['usage_metadata']
  return isObject(usage) ? usage : null
}

export type ToolMessage = { readonly toolCallId: string; readonly result: unknown }

/**
 * The tool message that LangChain takes for the result of a tool called by an agent: the result proper lies in its
 * content, and only it names the call. Null for any other result.
 */
export function readToolMessage(result: unknown): ToolMessage | null {
  const output = isObject(result) ? result['output'] : undefined
  if (!isObject(output)) return null
  const fields = isObject(output['kwargs']) ? output['kwargs'] : output
  const toolCallId = fields['tool_call_id']
  return typeof toolCallId === 'string' ? { toolCallId, result: fields['content'] ?? null } : null
}
