// Floor 1. One received span of any dialect, turned into the one normal form.
import { bounded, maxNameChars } from './conventions/attribute.ts'
import { readFailure } from './conventions/failure.ts'
import { readKind, readOperation } from './conventions/kind.ts'
import { readContentMessages } from './conventions/messages/content.ts'
import { defaultMaxCiphertextBytes, noOwnTool, readOwnTool, readToolCallIds } from './conventions/own.ts'
import { readModels, readProvider } from './conventions/provider-and-model.ts'
import { openReading } from './conventions/reading.ts'
import { readAnswer } from './conventions/response.ts'
import { readToolCall } from './conventions/tool.ts'
import { readProvidedCostUsd } from './conventions/usage/provided-cost.ts'
import { readUsage } from './conventions/usage/read.ts'
import { readWho } from './conventions/who.ts'
import type { Event } from './event.ts'
import type { Span } from './span.ts'

/** The decoder knows how long a span may last, and has set the flag where the end is not to be believed. */
function readDurationUs(span: Span): number | null {
  if (span.flags.has('duration_unknown')) return null
  return Number((span.endTimeUnixNano - span.startTimeUnixNano) / 1_000n)
}

/**
 * What the attributes of one span say, in the words of `Event`. Never throws for anything that a sender can write;
 * what had to be mended is added to the span's own `flags`, which the event shares. Pure apart from that.
 * `maxCiphertextBytes` bounds a stored tool result. Cost: about 200 look-ups (5 µs), and a parse of the JSON that the span carries.
 */
export function normalise(span: Span, maxCiphertextBytes = defaultMaxCiphertextBytes): Event {
  const reading = openReading(span)
  const { attributes, flags } = reading
  // What the decoder has cut or mended may be the arguments: two inputs would then have one hash.
  const isWhole = !flags.has('truncated') && !flags.has('text_cleaned')
  const kind = readKind(reading)
  const stated = readOperation(attributes)
  const operation = stated === null ? null : bounded(stated, maxNameChars, flags)
  const isTool = kind === 'tool'
  const own = isTool ? readOwnTool(reading, maxCiphertextBytes) : noOwnTool
  const wantsHash = isTool && isWhole && !own.served && own.inputHash === null
  const tool = isTool ? readToolCall(reading, wantsHash) : null
  const { attested, served, holdout, decisionId, encrypted, contentHash } = own
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    startTimeUnixNano: span.startTimeUnixNano,
    durationUs: readDurationUs(span),
    kind,
    operation,
    name: span.name,
    ...readFailure(reading),
    ...readWho(reading, kind),
    provider: readProvider(reading),
    ...readModels(reading, kind === 'llm' || kind === 'embedding'),
    ...readAnswer(reading),
    usage: readUsage(reading, kind, operation),
    providedCostUsd: readProvidedCostUsd(reading),
    toolName: tool?.toolName ?? null,
    toolCallId: tool?.toolCallId ?? null,
    inputHash: served ? null : (own.inputHash ?? tool?.computedHash ?? null),
    contentHash,
    attested,
    served,
    holdout,
    decisionId,
    encrypted,
    consumedToolCallIds: readToolCallIds(attributes, 'tracewright.consumed_tool_call_ids', flags),
    readToolCallIds: readToolCallIds(attributes, 'tracewright.read_tool_call_ids', flags),
    content: {
      inputMessages: isTool ? null : readContentMessages(reading, 'input'),
      outputMessages: isTool ? null : readContentMessages(reading, 'output'),
      toolArguments: tool?.arguments ?? null,
      toolResult: tool?.result ?? null,
    },
    flags,
  }
}
