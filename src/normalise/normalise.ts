// One received span of any dialect, turned into the one normal form.

import type { Content, Event } from '../event/event.ts'
import type { Span } from '../otlp/span.ts'
import { firstAnswer } from './asked-reads.ts'
import { bounded, maxNameChars } from './attribute.ts'
import { tracewrightNames } from './dialects/tracewright.ts'
import { readFailure } from './failure.ts'
import { readKind, readOperation } from './kind.ts'
import type { MergedDialects } from './merge/merged.ts'
import { readContentMessages } from './messages/content.ts'
import { defaultMaxCiphertextBytes, noOwnTool, readOwnTool, readToolCallIds } from './own.ts'
import { readModels, readProvider } from './provider-and-model.ts'
import { readQualityScore } from './quality.ts'
import { openReading, type Reading } from './reading.ts'
import { mergedDialects } from './registry.ts'
import { readAnswer } from './response.ts'
import { readToolCall, readToolContent } from './tool.ts'
import { readToolRequests } from './tool-requests.ts'
import { readProvidedCostUsd } from './usage/provided-cost.ts'
import { readUsage } from './usage/read.ts'
import { readWho } from './who.ts'

/** The decoder knows how long a span may last, and has set the flag where the end is not to be believed. */
function readDurationUs(reading: Reading): number | null {
  const { span } = reading
  if (span.flags.has('duration_unknown')) return null
  const us = Number((span.endTimeUnixNano - span.startTimeUnixNano) / 1_000n)
  return Math.max(us, firstAnswer(reading, reading.dialects.reads.leastUs) ?? 0)
}

/**
 * What the attributes of one span say, in the words of `Event`. Never throws for anything that a sender can write;
 * what had to be mended is added to the span's own `flags`, which the event shares. Pure apart from that.
 * `maxCiphertextBytes` bounds a stored tool result. Cost: about 200 look-ups (3 µs), and a parse of a tool call's arguments and result.
 */
export function normalise(
  span: Span,
  maxCiphertextBytes = defaultMaxCiphertextBytes,
  dialects: MergedDialects = mergedDialects,
): Event {
  const reading = openReading(span, dialects)
  const { attributes, flags } = reading
  // What the decoder has cut or mended may be the arguments: two inputs would then have one hash.
  const isWhole = !flags.has('truncated') && !flags.has('text_cleaned')
  const kind = readKind(reading)
  const stated = readOperation(reading, kind)
  const operation = stated === null ? null : bounded(stated, maxNameChars, flags)
  const isTool = kind === 'tool'
  const own = isTool ? readOwnTool(reading, maxCiphertextBytes) : noOwnTool
  const failure = readFailure(reading)
  const isHashable = isTool && isWhole && !own.served
  const isAttested = own.attested || own.attestedUnread
  const tool = isTool
    ? readToolCall(reading, {
        input: isHashable && own.inputHash === null,
        result: isHashable && own.contentHash === null && !isAttested && failure.status === 'ok',
      })
    : null
  // Told one by one: spreading the parts would double the cost of making the event.
  const who = readWho(reading, kind)
  const models = readModels(reading, kind === 'llm' || kind === 'embedding')
  const answer = readAnswer(reading, kind)
  const usage = readUsage(reading, kind, operation, models.model)
  // How long the call took that ended when this span was written; null for every other span.
  const streamUs = firstAnswer(reading, reading.dialects.reads.streamUs)
  const { attested, attestedUnread, served, holdout, changed, decisionId, encrypted } = own
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    startTimeUnixNano: span.startTimeUnixNano - BigInt(streamUs ?? 0) * 1_000n,
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
    hasMainAgent: reading.resource.has('gen_ai.main_agent.name'),
    agentVersion: who.agentVersion,
    sessionId: who.sessionId,
    userId: who.userId,
    taskType: who.taskType,
    environment: who.environment,
    provider: readProvider(reading),
    requestModel: models.requestModel,
    model: models.model,
    responseId: answer.responseId,
    finishReasons: answer.finishReasons,
    serviceTier: answer.serviceTier,
    batch: answer.batch,
    ttftMs: answer.ttftMs,
    usage,
    providedCostUsd: readProvidedCostUsd(reading, usage),
    qualityScore: readQualityScore(reading),
    toolRequests: readToolRequests(reading, kind),
    toolName: tool?.toolName ?? null,
    toolCallId: tool?.toolCallId ?? null,
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
 * What went into the span and what came out, in the one normal form of every dialect. Apart from `normalise`, since only who looks at one
 * event needs it. What had to be cut is added to the span's `flags`.
 */
export function readContent(span: Span, dialects: MergedDialects = mergedDialects): Content {
  const reading = openReading(span, dialects)
  if (readKind(reading) === 'tool') {
    const { arguments: toolArguments, result: toolResult } = readToolContent(reading)
    return { inputMessages: null, outputMessages: null, toolArguments, toolResult }
  }
  return {
    inputMessages: readContentMessages(reading, 'input'),
    outputMessages: readContentMessages(reading, 'output'),
    toolArguments: null,
    toolResult: null,
  }
}
