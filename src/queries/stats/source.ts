// The source of the stats of a window: its rollups, or its events if they are few.

import type { DigestConsumer } from '../../rollups/digests.ts'
import { readFacts } from '../../rollups/read-facts.ts'
import type { RowMemory } from '../../rollups/row-memory.ts'
import type { CellKey } from '../../sketches/cell.ts'
import type { CellParts } from '../../sketches/cells-codec.ts'
import type { Distinct } from '../../sketches/distinct.ts'
import type { Database } from '../../store/database.ts'
import { showTimeUs, type Window } from '../window.ts'
import type { Aggregate, WholeAggregate } from './aggregate.ts'
import { openFacts } from './from-facts.ts'
import { openRollups } from './from-rollups.ts'
import type { RowSizes } from './rank-groups.ts'
import type { RowPoints } from './row-points.ts'

/** One pass over a window. */
export type Pass = {
  readonly window: Window
  /** Ascending times. The pass keeps data on different sides of a cut apart by `startMs`. */
  readonly cutsMs: readonly number[]
  readonly into: WholePass | BucketPass | CellPass
}

/** Sums everything, including models and sessions, from totals alone. */
export type WholePass = { readonly whole: WholeAggregate }

/** Sums everything except models and sessions, from totals alone. */
export type BucketPass = {
  readonly tallyOf: (startMs: number) => Aggregate
  readonly alone: AlonePoints
}

/** Takes a row if no other data falls between the same two cuts. Facts are always added one by one. */
export type AlonePoints = DigestConsumer<RowPoints>

/** Sums cell by cell; null: omit the cell. The key is one object that is reused for all cells. */
export type CellPass = {
  readonly parts: CellParts
  readonly cellTallyOf: (startMs: number, key: CellKey) => Aggregate | null
  readonly alone?: AlonePoints
  /** Takes every other row, instead of its cells. */
  readonly each?: DigestConsumer<RowSizes>
  /** Facts contain their sessions, cells do not: the sessions of each agent are stored separately. */
  readonly sessionsFor: (agentId: string) => Distinct | null
}

export type StatsSource = {
  makeAggregate(of: 'totals' | 'cells'): Aggregate
  /** Returns the number of events in the window, including those that the pass omits. */
  read(pass: Pass): Promise<number>
}

/** An answer, the number of events in its window, and a function that replaces its estimates by exact counts. */
export type MeasuredAnswer<T> = { readonly answer: T; readonly events: number; readonly recount?: () => Promise<void> }

/** Windows with fewer events are summed exactly. */
const exactBelow = 5_000

/** What stats are read from: the database, and a cache of what earlier reads made of its rows. */
export type StatsStore = { readonly db: Database; readonly rows: RowMemory }

/**
 * Runs the work on the rollups of a window, and again on its events if there turn out to be few. Events are selected to the microsecond,
 * rollups to the millisecond: rollups round a bound outwards to the next millisecond.
 */
export async function measureWindow<T>(
  { db, rows }: StatsStore,
  workspaceId: string,
  window: Window,
  work: (source: StatsSource) => Promise<MeasuredAnswer<T>>,
): Promise<T> {
  const { answer, events, recount } = await work(openRollups({ db, rows }, workspaceId))
  const finish = async (): Promise<T> => {
    await recount?.()
    return answer
  }
  if (events >= exactBelow) return await finish()
  const { fromUs, toUs } = window.exact ?? { fromUs: window.from.getTime() * 1_000, toUs: window.to.getTime() * 1_000 }
  const facts = await readFacts(db, workspaceId, { from: showTimeUs(fromUs), to: showTimeUs(toUs) }, exactBelow)
  // Events that arrived in the meantime exceed the limit.
  if (facts.length >= exactBelow) return await finish()
  return (await work(openFacts(facts))).answer
}
