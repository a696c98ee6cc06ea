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

export type NormaliseLimits = {
  /** Bytes of a stored tool result. */
  readonly maxCiphertextBytes: number
  /** Microseconds that a span may last; a longer one has an end that is not to be believed. */
  readonly maxDurationUs: number
}

export const defaultNormaliseLimits: NormaliseLimits = {
  maxCiphertextBytes: defaultMaxCiphertextBytes,
  maxDurationUs: 7 * 24 * 3_600 * 1_000_000,
}

function readDurationUs(span: Span, maxDurationUs: number): number | null {
  const durationUs = Number((span.endTimeUnixNano - span.startTimeUnixNano) / 1_000n)
  if (span.endTimeUnixNano >= span.startTimeUnixNano && durationUs <= maxDurationUs) return durationUs
  span.flags.add('duration_unknown')
  return null
}

/**
 * What the attributes of one span say, in the words of `Event`. Never throws for anything that a sender can write;
 * what had to be mended is added to the span's own `flags`, which the event shares. Pure apart from that.
 * Cost: about 200 look-ups, and a parse of the JSON that the span carries.
 */
export function normalise(span: Span, limits: NormaliseLimits = defaultNormaliseLimits): Event {
  const reading = openReading(span)
  const { attributes, flags } = reading
  const kind = readKind(reading)
  const stated = readOperation(attributes)
  const operation = stated === null ? null : bounded(stated, maxNameChars, flags)
  const isTool = kind === 'tool'
  const own = isTool ? readOwnTool(reading, limits.maxCiphertextBytes) : noOwnTool
  const wantsHash = isTool && !own.served && own.inputHash === null
  const tool = isTool ? readToolCall(reading, wantsHash) : null
  const { attested, served, holdout, decisionId, encrypted, contentHash } = own
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    startTimeUnixNano: span.startTimeUnixNano,
    durationUs: readDurationUs(span, limits.maxDurationUs),
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
