// Floor 1. A tool call: its name, its id, what it was given and what it gave back.

import type { Flag } from '../event/flag.ts'
import { hashInput, hashInputText } from '../otlp/canonical-json.ts'
import { anyOf } from '../otlp/names.ts'
import type { AttributeMap, AttributeValue } from '../otlp/span.ts'
import { bounded, first, firstBoolean, firstName, firstPresent, maxNameChars, toPlain } from './attribute.ts'
import { parseJson } from './json.ts'
import { readToolMessage, type ToolMessage } from './langchain.ts'
import { readContentMessages } from './messages/content.ts'
import type { Reading } from './reading.ts'
import { traceloopEntityNames, traceloopKindNames } from './shared-names.ts'

const nameNames = anyOf('gen_ai.tool.name', 'tool.name', 'ai.toolCall.name')
const eventOutputNames = anyOf('output', 'content', 'tool_output')
const bareNameNames = anyOf('lk.function_tool.name', 'tool_name', 'mlflow.spanFunctionName')
const idNames = anyOf(
  'gen_ai.tool.call.id',
  'tool.id',
  'tool_call.id',
  'tool.call_id',
  'ai.toolCall.id',
  'tool_use_id',
  'lk.function_tool.id',
)
/** The second is MCP's `readOnlyHint`, as autotel-mcp-instrumentation and single servers send it: the MCP conventions of OpenTelemetry have no name for it. */
const readOnlyNames = anyOf('tracewright.tool.read_only', 'mcp.tool.read_only')
/** `tool.parameters` stands last, since most OpenInference instrumentations put the tool's schema there. */
const argumentNames = anyOf(
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.args',
  'gen_ai.tool.input',
  'input.value',
  'ai.toolCall.args',
  'tool_arguments',
  'traceloop.entity.input',
  'gcp.vertex.agent.tool_call_args',
  'tool_input',
  'mcp.request.argument',
  'langfuse.observation.input',
  'lk.function_tool.arguments',
  'lmnr.span.input',
  'mlflow.spanInputs',
  'genkit:input',
  'gen_ai.prompt',
  'tool.parameters',
)
const resultNames = anyOf(
  'gen_ai.tool.call.result',
  'gen_ai.tool.output',
  'output.value',
  'ai.toolCall.result',
  'tool_response',
  'traceloop.entity.output',
  'gcp.vertex.agent.tool_response',
  'mcp.response.value',
  'langfuse.observation.output',
  'lk.function_tool.output',
  'lmnr.span.output',
  'mlflow.spanOutputs',
  'genkit:output',
  'gen_ai.completion',
)
const namePrefixes = ['execute_tool ', 'tools/call ', 'running tool: ', 'anthropic.tool_use ']

export type ToolCall = {
  readonly toolName: string | null
  readonly toolCallId: string | null
  /** Whether a call changes nothing, as the sender states it; null where it does not. */
  readonly readOnly: boolean | null
  /** sha256:… over the RFC 8785 form of the arguments; null where there are none or it was not wanted. */
  readonly inputHash: string | null
  /** The same of the result; null also where the result has more than 64 Ki characters. */
  readonly contentHash: string | null
}

/** What is to be hashed: each costs a parse. */
export type WantedHashes = { readonly input: boolean; readonly result: boolean }

/** The name by attribute, else out of the span's name. Claude Code's steps inside a tool call have no name of their own. */
function readToolName({ attributes, span, flags }: Reading): string | null {
  const stated = firstName(attributes, nameNames, flags)
  if (stated !== null) return stated
  if (first(attributes, traceloopKindNames) === 'tool') {
    const entity = firstName(attributes, traceloopEntityNames, flags)
    if (entity !== null) return entity
  }
  const bare = firstName(attributes, bareNameNames, flags)
  if (bare !== null) return bare
  if (span.name.startsWith('claude_code.tool.')) return null
  const prefix = namePrefixes.find((start) => span.name.startsWith(start) && span.name.length > start.length)
  return bounded(prefix === undefined ? span.name : span.name.slice(prefix.length), maxNameChars, flags)
}

/** A JSON value, or the text where it is no JSON. */
function valueOf(value: AttributeValue | undefined, flags: Set<Flag>): unknown {
  if (value === undefined) return null
  if (typeof value !== 'string') return toPlain(value, flags)
  const parsed = parseJson(value, flags)
  return parsed === undefined ? value : parsed
}

const hashOf = (value: unknown): string | null => (typeof value === 'string' ? hashInputText(value) : hashInput(value))

// About 0.5 ms of a decode thread.
const maxHashedResultChars = 65_536

/** What is left of `room` characters behind the texts of a value, where each member counts as one more; negative where it is too large. */
function roomBehind(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 1
  if (typeof value !== 'object' || value === null) return room - 1
  if (value instanceof Uint8Array) return room - 2 * value.length - 1
  const members: Iterable<unknown> = value instanceof Map ? [...value].flat() : Object.entries(value).flat()
  let left = room - 1
  for (const member of members) {
    if (left < 0) return left
    left = roomBehind(member, left)
  }
  return left
}

/** Where a tool span has its input and output as events (Strands, Claude Code) rather than as attributes. */
function inEvent({ span }: Reading, way: 'input' | 'output'): AttributeValue | undefined {
  for (const { name, attributes } of span.events) {
    // So a content mode leaves an event that it lets say nothing.
    if (attributes.size === 0) continue
    const value = way === 'input' ? eventInput(name, attributes) : eventOutput(name, attributes)
    if (value !== undefined && value !== null && value !== '') return value
  }
  return undefined
}

const eventInput = (name: string, attributes: AttributeMap) =>
  name === 'gen_ai.tool.message' ? attributes.get('content') : undefined

function eventOutput(name: string, attributes: AttributeMap): AttributeValue | undefined {
  if (name === 'gen_ai.choice') return attributes.get('message')
  if (name !== 'tool.output') return undefined
  return firstPresent(attributes, eventOutputNames) ?? attributes
}

/** The arguments or the result out of messages, where a tool span has only those. */
function inMessages(reading: Reading, way: 'input' | 'output'): unknown {
  for (const message of readContentMessages(reading, way) ?? []) {
    for (const part of message.parts) {
      if (way === 'input' && part.type === 'tool_call') return part.arguments
      if (way === 'output' && part.type === 'tool_result') return part.result
    }
  }
  return null
}

const given = (reading: Reading): AttributeValue | undefined =>
  firstPresent(reading.attributes, argumentNames) ?? inEvent(reading, 'input')

function readResult(reading: Reading): unknown {
  const gave = firstPresent(reading.attributes, resultNames) ?? inEvent(reading, 'output')
  return gave === undefined ? inMessages(reading, 'output') : valueOf(gave, reading.flags)
}

function computeInputHash(reading: Reading): string | null {
  const value = given(reading)
  if (value !== undefined) return hashOf(value)
  const told = inMessages(reading, 'input')
  return told === null ? null : hashInput(told)
}

/** LangChain's message around the result: it differs from call to call, as it holds the id of the call. */
const readMessage = (reading: Reading): ToolMessage | null =>
  reading.isLangChain ? readToolMessage(readResult(reading)) : null

function computeContentHash(reading: Reading, message: ToolMessage | null): string | null {
  const gave: unknown =
    message === null
      ? (firstPresent(reading.attributes, resultNames) ?? inEvent(reading, 'output') ?? inMessages(reading, 'output'))
      : message.result
  return gave === null || roomBehind(gave, maxHashedResultChars) < 0 ? null : hashOf(gave)
}

/**
 * Reads a span of kind tool. A hash is of the value, not of its spelling: `{"a":1, "b":2}` and `{"b":2,"a":1}` are
 * one input. Cost: about 27 look-ups, and one parse and one hash for each hash that is wanted.
 */
export function readToolCall(reading: Reading, wanted: WantedHashes): ToolCall {
  const { attributes, flags } = reading
  const stated = firstName(attributes, idNames, flags)
  const message = stated === null || wanted.result ? readMessage(reading) : null
  return {
    toolName: readToolName(reading),
    // LangChain has the id only inside of what the tool gave back.
    toolCallId: stated ?? (message === null ? null : bounded(message.toolCallId, maxNameChars, flags)),
    readOnly: firstBoolean(attributes, readOnlyNames),
    inputHash: wanted.input ? computeInputHash(reading) : null,
    contentHash: wanted.result ? computeContentHash(reading, message) : null,
  }
}

/** What a tool was given and what it gave back: plain JSON values, or text where the sender's text is no JSON. */
export function readToolContent(reading: Reading): { readonly arguments: unknown; readonly result: unknown } {
  const value = given(reading)
  const result = readResult(reading)
  const message = reading.isLangChain ? readToolMessage(result) : null
  return {
    arguments: value === undefined ? inMessages(reading, 'input') : valueOf(value, reading.flags),
    result: message === null ? result : message.result,
  }
}
