// Keeps a bug that one span meets away from its neighbours: the span is rejected, and the bug is told.
import { countRejection, openTally, type RejectionTally } from '../intake/rejection-tally.ts'

export type SpanGuard = {
  /** False where the work on the item threw; the span is counted as rejected then. */
  attempt<Item>(work: (item: Item) => void, item: Item): boolean
  /** Where the first bugs happened: names and stack frames, never a message, which may quote what the customer sent. */
  bugs(): readonly string[]
  /** Before a request, with where its rejections are counted. */
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
