// Reads a call of a tool: its name, id, arguments and result.

import { hashInput, hashInputText } from '../event/canonical-json.ts'
import type { Flag } from '../event/flag.ts'
import type { AttributeValue } from '../event/span.ts'
import { firstAnswer, isAnyTrue, isMine } from './asked-reads.ts'
import { bounded, firstBoolean, firstPresent, firstText, maxNameChars, toPlain } from './attribute.ts'
import { parseJson } from './json.ts'
import type { ToolMessage, Way } from './merge/definition.ts'
import { readContentMessages } from './messages/content.ts'
import type { Reading } from './reading.ts'
import { isOf } from './span-reading.ts'
import { ownText, ownValue, readText } from './text-steps.ts'

export type ToolCall = {
  readonly toolName: string | null
  readonly toolCallId: string | null
  /** Whether the tool is read-only, as the sender states it; null where it does not. */
  readonly readOnly: boolean | null
  /** sha256:… of the RFC 8785 form of the arguments; null where there are none or the hash is not wanted. */
  readonly inputHash: string | null
  /** The same hash of the result; null also where the result has more than 64 Ki characters. */
  readonly contentHash: string | null
}

/** Which hashes to compute. Each costs a parse. */
export type WantedHashes = { readonly input: boolean; readonly result: boolean }

/** Returns the tool's name from an attribute, else from the name of the span. */
function readToolName(reading: Reading): string | null {
  const { span, flags } = reading
  const { texts, toolSpans, namelessToolSpans } = reading.dialects
  const stated = readText(reading, texts.toolName, 'tool')
  if (stated !== null) return bounded(stated, maxNameChars, flags)
  if (namelessToolSpans.some((start) => span.name.startsWith(start))) return null
  const prefix = toolSpans.find((start) => span.name.startsWith(start) && span.name.length > start.length)
  return bounded(prefix === undefined ? span.name : span.name.slice(prefix.length), maxNameChars, flags)
}

/** Returns the JSON value, or the text where it is not JSON. */
function valueOf(value: AttributeValue | undefined, flags: Set<Flag>): unknown {
  if (value === undefined) return null
  if (typeof value !== 'string') return toPlain(value, flags)
  const parsed = parseJson(value, flags)
  return parsed === undefined ? value : parsed
}

const hashOf = (value: unknown): string | null => (typeof value === 'string' ? hashInputText(value) : hashInput(value))

// Hashing this many characters takes about 0.5 ms of a decode thread.
const maxHashedResultChars = 65_536

/** Returns how many of `room` characters a value leaves, if each member counts as one besides its text; negative if it is too large. */
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

/** Returns the arguments or the result from an event of the span, for dialects that report them there. */
function inEvent(reading: Reading, way: Way): AttributeValue | undefined {
  const { toolEvent } = reading.dialects.reads
  for (const event of reading.span.events) {
    // A content mode that removes the content of an event leaves the event without attributes.
    if (event.attributes.size === 0) continue
    for (const { of, read } of toolEvent.reads) {
      const value = isMine(reading, of) ? read(event, way) : undefined
      if (value !== undefined && value !== null && value !== '') return value
    }
  }
  return undefined
}

/** Returns the arguments or the result from the messages of a tool span that has nothing else; null where there are none. */
function inMessages(reading: Reading, way: Way): unknown {
  for (const message of readContentMessages(reading, way) ?? []) {
    for (const part of message.parts) {
      if (way === 'input' && part.type === 'tool_call') return part.arguments
      if (way === 'output' && part.type === 'tool_result') return part.result
    }
  }
  return null
}

const given = (reading: Reading): AttributeValue | undefined =>
  firstPresent(reading.attributes, reading.dialects.names.toolArguments) ??
  inEvent(reading, 'input') ??
  ownValue(reading, reading.dialects.own.toolArguments)

const gaveBack = (reading: Reading): AttributeValue | undefined =>
  firstPresent(reading.attributes, reading.dialects.names.toolResult) ??
  inEvent(reading, 'output') ??
  ownValue(reading, reading.dialects.own.toolResult)

function readResult(reading: Reading): unknown {
  const gave = gaveBack(reading)
  return gave === undefined ? inMessages(reading, 'output') : valueOf(gave, reading.flags)
}

function computeInputHash(reading: Reading): string | null {
  const inside = firstAnswer(reading, reading.dialects.reads.toolArguments)
  if (inside !== null) return hashInput(inside)
  const value = given(reading)
  if (value !== undefined) return hashOf(value)
  const told = inMessages(reading, 'input')
  return told === null ? null : hashInput(told)
}

/** Returns a dialect's message around the result. The message differs between calls with equal results, since it contains the call's id. */
function readMessage(reading: Reading, readGiven: (reading: Reading) => unknown): ToolMessage | null {
  for (const { of, read } of reading.dialects.toolMessages) {
    const message = isOf(reading, of) ? read(readGiven(reading)) : null
    if (message !== null) return message
  }
  return null
}

function computeContentHash(reading: Reading, message: ToolMessage | null): string | null {
  const gave: unknown = message === null ? (gaveBack(reading) ?? inMessages(reading, 'output')) : message.result
  return gave === null || roomBehind(gave, maxHashedResultChars) < 0 ? null : hashOf(gave)
}

/** How Google's ADK spells a missing id. As an id, it would make all calls one. */
const noCallId = '<not specified>'

function readStatedCallId(reading: Reading): string | null {
  const { attributes, flags, dialects } = reading
  const text = firstText(attributes, dialects.names.toolCallId) ?? ownText(reading, dialects.own.toolCallId)
  return text === null || text === noCallId ? null : bounded(text, maxNameChars, flags)
}

/**
 * Returns the call id of a span of kind `other` that reports a call of a tool which the agent did not run. Its request is therefore not
 * inferred (`resolve/inferred-tools.ts`). Null for all other spans. Cost: one look-up for most.
 */
export const readCallIdNotRun = (reading: Reading): string | null =>
  isAnyTrue(reading, reading.dialects.reads.isNotRun) ? readStatedCallId(reading) : null

/**
 * Reads a span of kind tool. A hash is of the value, not of its spelling: `{"a":1, "b":2}` and `{"b":2,"a":1}` are the same input. Cost:
 * about 27 look-ups, and one parse and one hash for each hash that is wanted.
 */
export function readToolCall(reading: Reading, wanted: WantedHashes): ToolCall {
  const { attributes, flags } = reading
  const { names } = reading.dialects
  const stated = readStatedCallId(reading)
  const message = stated === null || wanted.result ? readMessage(reading, readResult) : null
  return {
    toolName: readToolName(reading),
    // Some senders report the id only inside the result.
    toolCallId: stated ?? (message === null ? null : bounded(message.toolCallId, maxNameChars, flags)),
    readOnly: firstBoolean(attributes, names.readOnly),
    inputHash: wanted.input ? computeInputHash(reading) : null,
    contentHash: wanted.result ? computeContentHash(reading, message) : null,
  }
}

/** Returns the arguments and the result of a tool: plain JSON values, or text where the sender's text is not JSON. */
export function readToolContent(reading: Reading): { readonly arguments: unknown; readonly result: unknown } {
  const inside = firstAnswer(reading, reading.dialects.reads.toolArguments)
  const value = given(reading)
  const result = readResult(reading)
  const message = readMessage(reading, () => result)
  return {
    arguments: inside ?? (value === undefined ? inMessages(reading, 'input') : valueOf(value, reading.flags)),
    result: message === null ? result : message.result,
  }
}
