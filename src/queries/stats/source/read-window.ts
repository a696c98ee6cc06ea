// Runs stats on the rollups of a window, or on its events if they are few.
import { readFacts } from '../../../rollups/read-facts.ts'
import { showTimeUs, type Window } from '../../window.ts'
import { openFacts } from './from-facts.ts'
import { openRollupSource } from './from-rollups.ts'
import type { StatsSource, StatsStore } from './source.ts'

/** An answer, the number of events in its window, and a function that replaces its estimates by exact counts. */
export type MeasuredAnswer<T> = { readonly answer: T; readonly events: number; readonly recount?: () => Promise<void> }

/** Windows with fewer events are summed exactly, unless retention has removed some of them. */
const exactBelow = 5_000

/**
 * Runs the work on the rollups of a window, and again on its events if there turn out to be few. Events are selected to the microsecond,
 * rollups to the millisecond: rollups round a bound outwards to the next millisecond. Rollups of which retention has removed some events
 * serve however few there are: otherwise the totals of a day that is partly expired would depend on their number.
 */
export async function readWindow<T>(
  { db, rows }: StatsStore,
  workspaceId: string,
  window: Window,
  work: (source: StatsSource) => Promise<MeasuredAnswer<T>>,
): Promise<T> {
  const { answer, events, recount } = await work(openRollupSource({ db, rows }, workspaceId))
  const finish = async (): Promise<T> => {
    await recount?.()
    return answer
  }
  if (events >= exactBelow) return await finish()
  const bounds = { from: showTimeUs(window.from.getTime() * 1_000), to: showTimeUs(window.to.getTime() * 1_000) }
  const facts = await readFacts(db, workspaceId, bounds, exactBelow)
  // Events that arrived in the meantime may exceed the limit.
  if (facts.length >= exactBelow || facts.length < events) return await finish()
  const { exact } = window
  const within = exact === undefined ? facts : facts.filter(({ start_us: us }) => us >= exact.fromUs && us < exact.toUs)
  return (await work(openFacts(within))).answer
}
