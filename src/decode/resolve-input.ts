// Converts a decoded event to the input for resolving its trace.

import type { EventRow } from '../encode/row.ts'
import { hasUsage, usageDetailOf } from '../event/event.ts'
import type { ResolveInput } from '../resolve/resolve.ts'
import { sdkMarkOf } from '../resolve/tool-reports.ts'

export const toResolveInput = ({
  event,
  startUs,
  priced,
}: Pick<EventRow, 'event' | 'startUs' | 'priced'>): ResolveInput => ({
  spanId: event.spanId,
  parentSpanId: event.parentSpanId,
  startTimeUs: startUs,
  kind: event.kind,
  agentOwn: event.agentOwn,
  agentFallback: event.agentFallback,
  sessionOwn: event.sessionId,
  userOwn: event.userId,
  toolName: event.toolName,
  toolCallId: event.toolCallId,
  sdkMark: sdkMarkOf(event.served || event.holdout, event.attested || event.attestedUnread),
  hasUsage: hasUsage(event),
  endTimeUs: startUs + (event.durationUs ?? 0),
  scopeName: event.scopeName,
  model: event.model,
  requestModel: event.requestModel,
  responseId: event.responseId,
  inputTokens: event.usage.inputTokens,
  outputTokens: event.usage.outputTokens,
  reasoningTokens: event.usage.reasoningTokens,
  isError: event.status === 'error',
  cacheTokens: (event.usage.cachedTokens ?? 0) + (event.usage.cacheWriteTokens ?? 0),
  usageDetail: usageDetailOf(event.usage, priced.costUsd !== null),
})
