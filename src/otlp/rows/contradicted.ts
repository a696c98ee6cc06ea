// Which rules the held-out calls of a request contradict, so that they are measured at once.
import type { Event } from '../../event/event.ts'

export type Contradicted = {
  add(event: Pick<Event, 'kind' | 'holdout' | 'status' | 'changed' | 'decisionId'>): void
  /** Decision ids, each once, as the sender names them; at most 64. */
  finish(): readonly string[]
  /** Before the next request. */
  clear(): void
}

const maxDecisions = 64

/** Of one request, and once cleared of the next. */
export function openContradicted(): Contradicted {
  const found = new Set<string>()
  return {
    add({ kind, holdout, status, changed, decisionId }) {
      if (!holdout || kind !== 'tool' || decisionId === null || found.size >= maxDecisions) return
      if (changed || status === 'error') found.add(decisionId)
    },
    finish: () => [...found],
    clear: () => found.clear(),
  }
}
