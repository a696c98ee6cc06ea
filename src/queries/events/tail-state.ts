// The position of a tail between two snapshots, and the choice of the transactions for its next page.
import type { Database } from '../../store/database.ts'
import type { Window } from '../window.ts'

/** A snapshot, and how many events the workspace had ever stored when it was taken. */
export type Mark = {
  readonly snapshot: string
  readonly stored: number
  /** The database history (timeline) that the snapshot belongs to. Cursors of the previous release have none. */
  readonly timeline: string | null
}

/** A position among the transactions being reported: in one (the key of its last reported event), or after one (null). */
export type TailPosition = {
  readonly xid: string
  readonly key: readonly [startKey: string, traceId: string, spanId: string] | null
}

/** The content of a tail cursor. */
export type TailState = Mark & {
  /** The snapshot up to which events are being reported; null: everything up to `snapshot` has been reported. */
  readonly until: Mark | null
  readonly at: TailPosition | null
  /** Number of events in the transactions that were completely reported since `snapshot`, including events that the filters dropped. */
  readonly told: number
}

/** A transaction that has not been reported yet. */
export type WaitingTransaction = {
  readonly xid: string
  readonly events: number
  /** The range of the start times of its events, cut to the millisecond. */
  readonly first_start_time: Date
  readonly last_start_time: Date
}

export type Portion = {
  readonly firstXid: string
  readonly lastXid: string
  /** Number of events of all its transactions. */
  readonly events: number
  /** True if no further transaction waits. */
  readonly isLast: boolean
  /** Contains the start times of all its events. */
  readonly window: Window
  /** Number of events in the transactions of the portion before this one. */
  eventsBefore(xid: string): number
}

// The limit of events for one page, unless a single transaction has more.
const maxEvents = 10_000

/** Reads the current mark. */
export async function readMark(db: Database, workspaceId: string): Promise<Mark> {
  const mark = await db.row<Mark>('queries/read-snapshot', [workspaceId])
  if (mark === null) throw new Error('the statement queries/read-snapshot returned no row')
  return mark
}

/** The state of a tail that has reported everything up to this mark. */
export const startAt = (mark: Mark): TailState => ({ ...mark, until: null, at: null, told: 0 })

const readXmax = (snapshot: string): bigint => BigInt(snapshot.split(':')[1] ?? 0)

/**
 * Whether the database has lost transactions that this snapshot saw. A tail would take later transactions with the same ids for reported.
 */
export const isOfLostHistory = (
  { timeline, snapshot }: Pick<Mark, 'snapshot' | 'timeline'>,
  now: Pick<Mark, 'snapshot' | 'timeline'>,
): boolean => (typeof timeline === 'string' && timeline !== now.timeline) || readXmax(snapshot) > readXmax(now.snapshot)

/**
 * Chooses the transactions for the next page: the oldest ones, limited in number and events. Returns null if none
 * waits.
 */
export function choosePortion(
  listed: readonly WaitingTransaction[],
  at: TailPosition | null,
  maxTransactions: number,
): Portion | null {
  const waiting = listed.filter(({ xid }) => at === null || at.key !== null || xid !== at.xid)
  const chosen: WaitingTransaction[] = []
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
    eventsBefore: (xid) => {
      const before = chosen.slice(
        0,
        chosen.findIndex((transaction) => transaction.xid === xid),
      )
      return before.reduce((sum, transaction) => sum + transaction.events, 0)
    },
  }
}

/**
 * Returns the state after everything up to `until` has been reported. Events that were stored in between, but whose transactions were not
 * found, count as skipped: transactions are recorded for an hour.
 */
export function finish(state: TailState, until: Mark): { state: TailState; skipped: number } {
  return {
    state: startAt(until),
    skipped: Math.max(0, until.stored - state.stored - state.told),
  }
}
