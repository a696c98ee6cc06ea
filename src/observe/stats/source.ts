// Where the stats of a window come from: its rollups, or its events where they are few.
import type { CellKey } from '../../measure/cell.ts'
import type { CellParts } from '../../measure/cells-codec.ts'
import type { Distinct } from '../../measure/distinct.ts'
import type { Taken } from '../../rollups/digests.ts'
import { readFacts } from '../../rollups/read-facts.ts'
import type { RowMemory } from '../../rollups/row-memory.ts'
import type { Database } from '../../store/database.ts'
import { showTimeUs, type Window } from '../window.ts'
import { openFacts } from './from-facts.ts'
import { openRollups } from './from-rollups.ts'
import type { RowSizes } from './rank-groups.ts'
import type { RowPoints } from './row-points.ts'
import type { Tally, WholeTally } from './tally.ts'

/** One pass over a window. */
export type Pass = {
  readonly window: Window
  /** Ascending times that separate what `startMs` tells apart. */
  readonly cutsMs: readonly number[]
  readonly into: WholePass | BucketPass | CellPass
}

/** Adds up everything, models and sessions too, from totals alone. */
export type WholePass = { readonly whole: WholeTally }

/** Adds up everything but models and sessions, from totals alone. */
export type BucketPass = {
  readonly tallyOf: (startMs: number) => Tally
  readonly alone: AlonePoints
}

/** Of a row that nothing else comes for between two cuts; facts come one by one. */
export type AlonePoints = Taken<RowPoints>

/** Adds up cell by cell; null: leave it out. The key is one record, filled again for each cell. */
export type CellPass = {
  readonly parts: CellParts
  readonly cellTallyOf: (startMs: number, key: CellKey) => Tally | null
  readonly alone?: AlonePoints
  /** Of every other row: in place of its cells. */
  readonly each?: Taken<RowSizes>
  /** Facts bring their sessions along, cells do not: those of an agent are apart. */
  readonly sessionsFor: (agentId: string) => Distinct | null
}

export type Source = {
  makeTally(of: 'totals' | 'cells'): Tally
  /** Gives how many events the window has, whatever was left out. */
  read(pass: Pass): Promise<number>
}

/** An answer, how many events the window has that it is about, and what counts in the answer what is only estimated. */
export type Measured<T> = { readonly answer: T; readonly events: number; readonly recount?: () => Promise<void> }

/** Windows with fewer events are added up exactly. */
const exactBelow = 5_000

/** Where stats come from: the database, and what was made of its rows by reads before. */
export type StatsStore = { readonly db: Database; readonly rows: RowMemory }

/**
 * Does the work on the rollups of a window, and once more on its events where they turn out to be few. Events are chosen by the
 * microsecond, rollups by the millisecond: a bound inside of a millisecond is rounded outwards there.
 */
export async function measureWindow<T>(
  { db, rows }: StatsStore,
  workspaceId: string,
  window: Window,
  work: (source: Source) => Promise<Measured<T>>,
): Promise<T> {
  const { answer, events, recount } = await work(openRollups({ db, rows }, workspaceId))
  const finish = async (): Promise<T> => {
    await recount?.()
    return answer
  }
  if (events >= exactBelow) return await finish()
  const { fromUs, toUs } = window.exact ?? { fromUs: window.from.getTime() * 1_000, toUs: window.to.getTime() * 1_000 }
  const facts = await readFacts(db, workspaceId, { from: showTimeUs(fromUs), to: showTimeUs(toUs) }, exactBelow)
  // What has come since then is too much.
  if (facts.length >= exactBelow) return await finish()
  return (await work(openFacts(facts))).answer
}
