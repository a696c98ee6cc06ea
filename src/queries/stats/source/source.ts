// What the stats of a window are summed from: its rollups, or its events if they are few.
import type { DigestConsumer } from '../../../rollups/digests.ts'
import type { RowMemory } from '../../../rollups/row-memory.ts'
import type { Tier } from '../../../rollups/tiers.ts'
import type { CellKey } from '../../../sketches/cell.ts'
import type { CellParts } from '../../../sketches/cells-codec.ts'
import type { Distinct } from '../../../sketches/distinct.ts'
import type { Database } from '../../../store/database.ts'
import type { Window } from '../../window.ts'
import type { Aggregate, WholeAggregate } from '../aggregate.ts'
import type { RowPoints } from './row-points.ts'
import type { RowSizes } from './row-sizes.ts'

/** One pass over a window. */
export type Pass = {
  readonly window: Window
  /** Ascending times. The pass keeps data on different sides of a cut apart by `startMs`. */
  readonly cutsMs: readonly number[]
  readonly into: WholePass | BucketPass | CellPass | HeldCellPass
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

/**
 * Sums by bucket, and holds what is made of each bucket that consists of stored rows alone. The cells of such rows are read again only after
 * one of the rows has changed.
 */
export type HeldCellPass = Omit<CellPass, 'each'> & { readonly held: HeldBuckets }

export type HeldBuckets = {
  /** Equal in passes that make the same of the same rows. */
  readonly name: string
  /** The starts of the buckets, ascending. */
  readonly startsMs: readonly number[]
  /** Buckets with rows of other tiers are always read. */
  readonly tiers: readonly Tier[]
  /** Takes what is held of a bucket. It must not be changed. */
  take(bucket: number, made: unknown): void
  /** Makes what is held of a bucket from its sums, once all of it is summed. `bytes`: approximate memory. */
  make(bucket: number): { readonly made: unknown; readonly bytes: number }
  /** Empties a bucket, because its rows are read again. */
  clear(bucket: number): void
}

export type StatsSource = {
  makeAggregate(of: 'totals' | 'cells'): Aggregate
  /** Returns the number of events in the window, including those that the pass omits. */
  read(pass: Pass): Promise<number>
}

/** What stats are read from: the database, and a cache of what earlier reads made of its rows. */
export type StatsStore = { readonly db: Database; readonly rows: RowMemory }
