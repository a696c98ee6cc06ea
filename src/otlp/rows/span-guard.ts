// Floor 1. Keeps a bug that one span meets away from its neighbours: the span is rejected, and the bug is told.
import { countRejection, type RejectionTally } from '../intake/rejection-tally.ts'

export type SpanGuard = {
  /** False where the work threw; the span is counted as rejected then. */
  attempt(work: () => void): boolean
  /** Where the first bugs happened: names and stack frames, never a message, which may quote what the customer sent. */
  readonly bugs: readonly string[]
}

const maxBugs = 3
const rejection = { reason: 'undecodable_span', detail: 'The span could not be interpreted.' } as const

export function openSpanGuard(rejections: RejectionTally): SpanGuard {
  const bugs: string[] = []
  return {
    bugs,
    attempt(work) {
      try {
        work()
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
