// Where a tail stands between two snapshots, and which transactions its next page looks through.
import type { Database } from '../../store/database.ts'
import type { Window } from '../window.ts'

/** A snapshot and how many events the workspace had stored in it, ever. */
export type Mark = {
  readonly snapshot: string
  readonly stored: number
  /** The history of the database that the snapshot belongs to. Cursors of the release before tell none. */
  readonly timeline: string | null
}

/** A place inside the transactions that are being told: within one (its last told event), or after one (null). */
export type Place = {
  readonly xid: string
  readonly key: readonly [startKey: string, traceId: string, spanId: string] | null
}

/** What a tail's cursor carries. */
export type TailState = Mark & {
  /** The snapshot that is being told up to; null where all up to `snapshot` was told. */
  readonly until: Mark | null
  readonly at: Place | null
  /** Events of the transactions that were told whole since `snapshot`, whether or not the filters let them through. */
  readonly told: number
}

/** A transaction that waits to be told. */
export type Waiting = {
  readonly xid: string
  readonly events: number
  /** Between which starts its events lie, cut to the millisecond. */
  readonly first_start_time: Date
  readonly last_start_time: Date
}

export type Portion = {
  readonly firstXid: string
  readonly lastXid: string
  /** Events of all its transactions. */
  readonly events: number
  /** True where no transaction waits behind it. */
  readonly isLast: boolean
  /** Holds the starts of all its events. */
  readonly window: Window
  /** Events of its transactions before this one. */
  toldBefore(xid: string): number
}

// So many events one page looks through, save where a single transaction has more.
const maxEvents = 10_000

/** The mark of now. */
export async function readMark(db: Database, workspaceId: string): Promise<Mark> {
  const mark = await db.row<Mark>('observe/read-snapshot', [workspaceId])
  if (mark === null) throw new Error('the statement observe/read-snapshot returned no row')
  return mark
}

/** The state of a tail that was told all up to this mark. */
export const startAt = (mark: Mark): TailState => ({ ...mark, until: null, at: null, told: 0 })

const readXmax = (snapshot: string): bigint => BigInt(snapshot.split(':')[1] ?? 0)

/** The database lost transactions that this snapshot saw: it takes those that got their numbers for told. */
export const isOfLostHistory = (
  { timeline, snapshot }: Pick<Mark, 'snapshot' | 'timeline'>,
  now: Pick<Mark, 'snapshot' | 'timeline'>,
): boolean => (typeof timeline === 'string' && timeline !== now.timeline) || readXmax(snapshot) > readXmax(now.snapshot)

/**
 * The transactions that the next page looks through: the oldest ones, bounded in number and events. Null where none
 * waits.
 */
export function choosePortion(listed: readonly Waiting[], at: Place | null, maxTransactions: number): Portion | null {
  const waiting = listed.filter(({ xid }) => at === null || at.key !== null || xid !== at.xid)
  const chosen: Waiting[] = []
  let events = 0
  for (const transaction of waiting.slice(0, maxTransactions)) {
    if (chosen.length > 0 && events + transaction.events > maxEvents) break
    chosen.push(transaction)
    events += transaction.events
  }
  const first = chosen.at(0)
  const last = chosen.at(-1)
  if (first === undefined || last === undefined) return null
  return {
    firstXid: first.xid,
    lastXid: last.xid,
    events,
    isLast: chosen.length === waiting.length,
    window: {
      from: new Date(Math.min(...chosen.map(({ first_start_time: from }) => from.getTime()))),
      to: new Date(Math.max(...chosen.map(({ last_start_time: to }) => to.getTime())) + 1),
    },
    toldBefore: (xid) => {
      const before = chosen.slice(
        0,
        chosen.findIndex((transaction) => transaction.xid === xid),
      )
      return before.reduce((sum, transaction) => sum + transaction.events, 0)
    },
  }
}

/**
 * The state once all up to `until` was told. What was stored in between and was in no transaction that could be found
 * is skipped: their records are kept for an hour.
 */
export function finish(state: TailState, until: Mark): { state: TailState; skipped: number } {
  return {
    state: startAt(until),
    skipped: Math.max(0, until.stored - state.stored - state.told),
  }
}
