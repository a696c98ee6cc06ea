// Lists, as numbers, the stored results that an execution may make out of date, so that caches of results can drop them.

import type { Event } from '../event/event.ts'
import { hashText } from '../sketches/hash.ts'

/** Returns a uint32 for all results of a tool. Two subjects may share a number: a cached result is then dropped needlessly. */
export const toolSubject = (toolName: string): number => hashText(toolName)

/** Returns a uint32 for the results of one input. */
export const inputSubject = (toolName: string, inputHash: string): number => hashText(`${toolName}\0${inputHash}`)

/** Returns a uint32 for the results of one scope. */
export const scopeSubject = (toolName: string, scopeHash: string): number => hashText(`${toolName}\0\0${scopeHash}`)

export type ResultSubjects = {
  /** Adds the results that the event may make out of date. About 0.2 µs for real tool calls, no time for other events. */
  add(event: Pick<Event, SubjectField>): void
  /** Returns null if there are more subjects than a notice should carry. */
  finish(): readonly number[] | null
  /** Call it before the next request. */
  clear(): void
}

type SubjectField = 'kind' | 'toolName' | 'inputHash' | 'scopeHash' | 'attested' | 'attestedUnread' | 'served'

const maxSubjects = 512

/** Serves one request at a time: clear it before the next. */
export function openResultSubjects(): ResultSubjects {
  const found = new Set<number>()
  return {
    add(event) {
      const { kind, toolName, inputHash, scopeHash } = event
      if (kind !== 'tool' || toolName === null || event.served || found.size > maxSubjects) return
      // This includes calls that failed or whose result is not stored: no older result may be served after them.
      if (!event.attested && !event.attestedUnread) {
        // Not each input: most tools have no rule and very many inputs, which would fill the notice.
        found.add(toolSubject(toolName))
        return
      }
      if (inputHash !== null) found.add(inputSubject(toolName, inputHash))
      if (event.attestedUnread && scopeHash !== null) found.add(scopeSubject(toolName, scopeHash))
    },
    finish: () => (found.size > maxSubjects ? null : [...found]),
    clear: () => found.clear(),
  }
}
