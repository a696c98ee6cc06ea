// Processes the starts and ends of executions in the order in which they happened.
import { compareText } from '../../base/compare-text.ts'

export type Timed = { readonly startUs: number; readonly endUs: number; readonly spanId: string }

/** An execution that has started, with the value that `begin` returned. */
type Running<E, D> = { readonly execution: E; readonly decided: D }

/**
 * Calls `begin` at the start and `finish` at the end of each execution. An execution that ends when another one starts is finished first.
 * Executions without a duration run one after another, ordered by span id.
 */
export function eachInOrder<E extends Timed, D>(
  executions: readonly E[],
  begin: (execution: E) => D,
  finish: (execution: E, decided: D) => void,
): void {
  // Sorted by end, the next one last. Few run at the same time.
  const running: Running<E, D>[] = []
  const finishNext = (): void => {
    const { execution, decided } = running.pop()!
    finish(execution, decided)
  }
  for (const execution of executions.toSorted(byStart)) {
    while (running.length > 0 && running.at(-1)!.execution.endUs <= execution.startUs) finishNext()
    running.splice(placeOf(running, execution), 0, { execution, decided: begin(execution) })
  }
  while (running.length > 0) finishNext()
}

const byStart = (a: Timed, b: Timed): number =>
  a.startUs - b.startUs || a.endUs - b.endUs || compareText(a.spanId, b.spanId)
const byEnd = (a: Timed, b: Timed): number =>
  a.endUs - b.endUs || a.startUs - b.startUs || compareText(a.spanId, b.spanId)

function placeOf(running: readonly { readonly execution: Timed }[], execution: Timed): number {
  let low = 0
  let high = running.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (byEnd(running[middle]!.execution, execution) > 0) low = middle + 1
    else high = middle
  }
  return low
}
