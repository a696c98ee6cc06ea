// Converts a received span of any dialect to the normal form.

import type { Content, Event } from '../event/event.ts'
import type { Span } from '../event/span.ts'
import { firstAnswer } from './asked-reads.ts'
import { bounded, maxNameChars } from './attribute.ts'
import { tracewrightNames } from './dialects/tracewright.ts'
import { readFailure } from './failure.ts'
import { readIdentity } from './identity.ts'
import { readKind, readOperation } from './kind.ts'
import type { MergedDialects } from './merge/merged.ts'
import { readAnswerMessages, readContentMessages } from './messages/content.ts'
import { readModels, readProvider } from './provider-and-model.ts'
import { readQualityScore } from './quality.ts'
import { openReading, type Reading } from './reading.ts'
import { mergedDialects } from './registry.ts'
import { readAnswer } from './response.ts'
import { readCallIdNotRun, readToolCall, readToolContent } from './tool.ts'
import { readToolRequests } from './tool-requests.ts'
import { noOwnTool, readOwnTool, readToolCallIds } from './tracewright-attributes.ts'
import { readProvidedCostUsd } from './usage/provided-cost.ts'
import { readUsage } from './usage/read.ts'

/** Returns the duration in microseconds, or null: the decoder sets the flag where the end is before the start or too far from it. */
function readDurationUs(reading: Reading): number | null {
  const { span } = reading
  if (span.flags.has('duration_unknown')) return null
  const us = Number((span.endTimeUnixNano - span.startTimeUnixNano) / 1_000n)
  return Math.max(us, firstAnswer(reading, reading.dialects.reads.leastUs) ?? 0)
}

/**
 * Returns what one span reports as an `Event`. Never throws for anything that a sender can write. Corrections are added to the span's own
 * `flags`, which the event shares; apart from that the function is pure. Cost: about 200 look-ups (3 µs), and a parse of a tool call's
 * arguments and result.
 */
export function normalise(span: Span, dialects: MergedDialects = mergedDialects): Event {
  const reading = openReading(span, dialects)
  const { attributes, flags } = reading
  // The decoder may have cut or replaced a part of the arguments. Two different inputs would then have the same hash.
  const isWhole = !flags.has('truncated') && !flags.has('text_cleaned')
  const kind = readKind(reading)
  const stated = readOperation(reading, kind)
  const operation = stated === null ? null : bounded(stated, maxNameChars, flags)
  const isTool = kind === 'tool'
  const own = isTool ? readOwnTool(reading) : noOwnTool
  const failure = readFailure(reading)
  const isHashable = isTool && isWhole && !own.served
  const isAttested = own.attested || own.attestedUnread
  const tool = isTool
    ? readToolCall(reading, {
        input: isHashable && own.inputHash === null,
        result: isHashable && own.contentHash === null && !isAttested && failure.status === 'ok',
      })
    : null
  // The members are set one by one: spreading the parts would double the cost of creating the event.
  const who = readIdentity(reading, kind)
  const provider = readProvider(reading)
  const models = readModels(reading, kind === 'llm' || kind === 'embedding', provider)
  const answer = readAnswer(reading, kind)
  const { usage, isOutputLost } = readUsage(reading, kind, operation, models.model)
  // The duration of a streamed call whose span was written at its end: the call began before the start of the span. Null for other spans.
  const streamUs = firstAnswer(reading, reading.dialects.reads.streamUs)
  const { attested, attestedUnread, served, holdout, changed, decisionId, encrypted } = own
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    startTimeUnixNano: streamUs === null ? span.startTimeUnixNano : span.startTimeUnixNano - BigInt(streamUs) * 1_000n,
    durationUs: streamUs ?? readDurationUs(reading),
    kind,
    operation,
    name: span.name,
    scopeName: span.scope.name === '' ? null : span.scope.name,
    scopeVersion: span.scope.version === '' ? null : span.scope.version,
    dialect: dialects.nameDialect(span, attributes),
    status: failure.status,
    errorType: failure.errorType,
    errorMessage: failure.errorMessage,
    agentOwn: who.agentOwn,
    agentFallback: who.agentFallback,
    hasMainAgent: who.hasMainAgent,
    agentVersion: who.agentVersion,
    sessionId: who.sessionId,
    userId: who.userId,
    taskType: who.taskType,
    environment: who.environment,
    provider,
    requestModel: models.requestModel,
    model: models.model,
    responseId: answer.responseId,
    finishReasons: answer.finishReasons,
    serviceTier: answer.serviceTier,
    batch: answer.batch,
    ttftMs: answer.ttftMs,
    usage,
    isOutputLost,
    providedCostUsd: readProvidedCostUsd(reading, kind, usage),
    qualityScore: readQualityScore(reading),
    toolRequests: readToolRequests(reading, kind),
    toolName: tool?.toolName ?? null,
    toolCallId: tool?.toolCallId ?? (kind === 'other' ? readCallIdNotRun(reading) : null),
    readOnly: tool?.readOnly ?? null,
    inputHash: served ? null : (own.inputHash ?? tool?.inputHash ?? null),
    contentHash: own.contentHash ?? tool?.contentHash ?? null,
    toolVersion: own.version,
    scopeHash: own.scopeHash,
    attested,
    attestedUnread,
    served,
    holdout,
    changed,
    decisionId,
    encrypted,
    consumedToolCallIds: readToolCallIds(attributes, tracewrightNames.consumed, flags),
    readToolCallIds: readToolCallIds(attributes, tracewrightNames.read, flags),
    flags,
  }
}

/**
 * Returns the input and output of a span in the normal form. This is separate from `normalise` because only the view of a single event
 * needs it. Cuts are added to the span's `flags`.
 */
export function readContent(span: Span, dialects: MergedDialects = mergedDialects): Content {
  const reading = openReading(span, dialects)
  const kind = readKind(reading)
  if (kind === 'tool') {
    const { arguments: toolArguments, result: toolResult } = readToolContent(reading)
    return { inputMessages: null, outputMessages: null, toolArguments, toolResult }
  }
  return {
    inputMessages: readContentMessages(reading, 'input'),
    outputMessages: readAnswerMessages(reading, kind),
    toolArguments: null,
    toolResult: null,
  }
}
