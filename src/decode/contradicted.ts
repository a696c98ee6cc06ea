// Finds the rules that held-out calls of a request contradict, so that these rules are measured at once.
import { type Event, unstorable } from '../event/event.ts'

type Call = Pick<Event, 'kind' | 'holdout' | 'status' | 'changed' | 'attested' | 'contentHash' | 'decisionId'>

export type Contradicted = {
  add(event: Call): void
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
    add({ kind, holdout, status, changed, attested, contentHash, decisionId }) {
      if (!holdout || kind !== 'tool' || decisionId === null || found.size >= maxDecisions) return
      // Such a result differs from every stored one. Tools whose results are only unread may never give another.
      const isUnstorable = attested && contentHash === unstorable
      if (changed || status === 'error' || isUnstorable) found.add(decisionId)
    },
    finish: () => [...found],
    clear: () => found.clear(),
  }
}
