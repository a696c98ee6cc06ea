// Adds Gemini's thoughts to its own output count, which excludes them. Many senders pass on the counts of each provider as they are.
import type { Flag } from '../../event/flag.ts'
import type { ReportedUsage } from './reported-usage.ts'

/** Call it once, on the usage of a sender that is known to pass on Gemini's counts. */
export function addThoughts(told: ReportedUsage, flags: Set<Flag>): void {
  if (told.output === null || !told.reasoning) return
  told.output += told.reasoning
  flags.add('usage_adjusted')
}
