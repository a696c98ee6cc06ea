// The warning for an exporter whose request was accepted with losses. A warning, not an error: sending the request again cannot help.
import type { BatchOutcome } from './batch.ts'

export type Losses = Pick<BatchOutcome, 'droppedQuota' | 'droppedAgentCap'> & {
  /** Spans with the flag `content_withheld`. */
  readonly withheldSpans: number
}

const quotaUsedUp = 'spans were dropped: the monthly event quota is used up (see Usage in the dashboard)'
const tooManyAgents =
  'spans were dropped: the workspace has reached the agent cap of its plan (see Usage in the dashboard)'
const tooMuchToRedact =
  'spans are stored without parts of their content: the request exceeds the limit of text to redact; send smaller batches'

/** Returns null if nothing was lost. */
export function warnOfLosses({ droppedQuota, droppedAgentCap, withheldSpans }: Losses): string | null {
  const parts: string[] = []
  if (droppedQuota > 0) parts.push(`${droppedQuota} ${quotaUsedUp}`)
  if (droppedAgentCap > 0) parts.push(`${droppedAgentCap} ${tooManyAgents}`)
  if (withheldSpans > 0) parts.push(`${withheldSpans} ${tooMuchToRedact}`)
  return parts.length === 0 ? null : parts.join('; ')
}
