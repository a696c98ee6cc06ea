// Which stored answers an execution may end, as numbers: by them, whoever keeps answers in memory learns which of them are old.

import type { Event } from '../../event/event.ts'
import { hashText } from '../../measure/hash.ts'

/** uint32 of every answer of a tool. Two subjects may share a number: an answer is then forgotten for nothing. */
export const toolSubject = (toolName: string): number => hashText(toolName)

/** Of the answers for one input. */
export const inputSubject = (toolName: string, inputHash: string): number => hashText(`${toolName}\0${inputHash}`)

/** Of the answers for one scope. */
export const scopeSubject = (toolName: string, scopeHash: string): number => hashText(`${toolName}\0\0${scopeHash}`)

export type ResultSubjects = {
  /** Notes which answers the event may end. About 0.2 µs for real calls of tools, nothing for others. */
  add(event: Pick<Event, SubjectField>): void
  /** Null where there are more than a notice should carry. */
  finish(): readonly number[] | null
  /** Before the next request. */
  clear(): void
}

type SubjectField = 'kind' | 'toolName' | 'inputHash' | 'scopeHash' | 'attested' | 'attestedUnread' | 'served'

const maxSubjects = 512

/** Of one request, and once cleared of the next. */
export function openResultSubjects(): ResultSubjects {
  const found = new Set<number>()
  return {
    add(event) {
      const { kind, toolName, inputHash, scopeHash } = event
      if (kind !== 'tool' || toolName === null || event.served || found.size > maxSubjects) return
      // Also where it failed or its result is not stored: nothing older is served then.
      if (!event.attested && !event.attestedUnread) {
        // Most tools have no rule and very many inputs, which would fill the notice.
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
