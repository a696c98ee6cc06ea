// Isolates a bug that one span triggers: only that span is rejected, and the bug is reported.
import { countRejection, openTally, type RejectionTally } from '../otlp/intake/rejection-tally.ts'

export type SpanGuard = {
  /** Calls `work` with the item. If it throws, counts the span as rejected and returns false. */
  attempt<Item>(work: (item: Item) => void, item: Item): boolean
  /** Returns error names and stack frames of the first bugs. Never the messages, which may quote customer content. */
  bugs(): readonly string[]
  /** Call it before a request, with the tally of its rejections. */
  begin(rejections: RejectionTally): void
}

const maxBugs = 3
const rejection = {
  reason: 'undecodable_span',
  detail: 'The service could not interpret the span because of an internal error.',
} as const

export function openSpanGuard(): SpanGuard {
  let rejections = openTally()
  let bugs: string[] = []
  return {
    bugs: () => bugs,
    begin(tally) {
      rejections = tally
      bugs = []
    },
    attempt(work, item) {
      try {
        work(item)
        return true
      } catch (error) {
        countRejection(rejections, rejection)
        if (bugs.length < maxBugs) bugs.push(describe(error))
        return false
      }
    },
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  return [error.name, ...frames].join('\n')
}
