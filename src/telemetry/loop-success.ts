// The time at which a background loop last completed its work, for the alert about loops that do not.
import type { Metrics } from './metrics.ts'

/** Returns what to call after each completed pass. Call it when the loop opens: a loop that never completes must have a time too. */
export function makeLoopSuccess(
  { loopSuccess }: Metrics,
  loop: 'settling' | 'folding' | 'retention' | 'purging',
): () => void {
  const record = (): void => loopSuccess.setToCurrentTime({ loop })
  record()
  return record
}
