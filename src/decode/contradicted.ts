// Finds the rules that held-out calls of a request contradict, so that these rules are measured at once.
import type { Event } from '../event/event.ts'

export type Contradicted = {
  add(event: Pick<Event, 'kind' | 'holdout' | 'status' | 'changed' | 'decisionId'>): void
  /** Returns the distinct decision ids, as the sender reports them; at most 64. */
  finish(): readonly string[]
  /** Call it before the next request. */
  clear(): void
}

const maxDecisions = 64

/** Serves one request at a time: clear it before the next. */
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
