// Floor 3. What an exporter is told of spans that a cap dropped: a warning, since sending them again cannot help.
import type { BatchOutcome } from './batch.ts'

/** Null where nothing was dropped. */
export function warnOfDrops(outcome: Pick<BatchOutcome, 'droppedQuota' | 'droppedAgentCap'>): string | null {
  const parts: string[] = []
  if (outcome.droppedQuota > 0)
    parts.push(`${outcome.droppedQuota} spans were dropped: the monthly event quota is used up`)
  if (outcome.droppedAgentCap > 0) {
    parts.push(`${outcome.droppedAgentCap} spans were dropped: the workspace has as many agents as its plan allows`)
  }
  return parts.length === 0 ? null : `${parts.join('; ')} (see the usage record)`
}
