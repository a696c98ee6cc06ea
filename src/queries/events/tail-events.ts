// The live tail: events in the order in which they were committed, by long poll.
// A cursor holds the snapshot up to which everything has been reported. A poll takes a new snapshot; the transactions that the new one sees
// and the old one does not are the next to report. If they exceed a page, the cursor keeps both snapshots and the position between them.
import { setTimeout as sleep } from 'node:timers/promises'
import type { KeyedSemaphore } from '../../base/keyed-semaphore.ts'
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { Database } from '../../store/database.ts'
import type { CursorScope, Cursors } from '../../web/page.ts'
import type { SelectedEvent } from './event-shape.ts'
import { bindEventFilters, type EventFilters } from './list-events.ts'
import {
  choosePortion,
  finish,
  isOfLostHistory,
  type Mark,
  readMark,
  startAt,
  type TailPosition,
  type TailState,
  type WaitingTransaction,
} from './tail-state.ts'

/**
 * Notifies of commits. `wait` resolves on the next commit of the workspace, when the signal aborts, or after the timeout.
 * It never rejects.
 */
export type Commits = { wait(workspaceId: string, signal: AbortSignal, timeoutMs: number): Promise<void> }

export type TailQuery = {
  readonly userId: string
  readonly workspaceId: string
  readonly filters: EventFilters
  readonly cursor: string | undefined
  readonly limit: number
  readonly waitMs: number
  readonly signal: AbortSignal
}

export type TailPage = {
  readonly rows: readonly SelectedEvent[]
  readonly nextCursor: string
  /** Number of events that were stored since the cursor and can no longer be reported. */
  readonly skipped: number
}

type Deps = {
  readonly db: Database
  readonly cursors: Cursors
  readonly commits: Commits
  /**
   * Each commit wakes all polls of its workspace. Their queries run one at a time, since other workspaces share the connections; so do those
   * of one user, who may have many workspaces. Throws Outage if a query waits too long for the others.
   */
  readonly turns: Pick<KeyedSemaphore, 'run'>
}

type TailRow = SelectedEvent & { xid: string }

// The longest delay that a lost notice can cause.
const maxSleepMs = 5_000

// The shortest interval between two queries of a poll, for a workspace that commits constantly, or when there are too many waiters to wait.
const minLookMs = 200

// The limit of transactions for one page. With filters, a page may find nothing in them and still advances.
const maxTransactions = 200

/**
 * Returns the events committed since the cursor, oldest transaction first. Without a cursor: no events, and a cursor for the current
 * position. Waits up to `waitMs` while there are no events. Reports each event once, in whatever order transactions begin and end. Throws Outage
 * if the database or its turn is not available in time: the caller may repeat the query.
 */
export async function tailEvents(deps: Deps, query: TailQuery): Promise<Outcome<TailPage, 'cursor_invalid'>> {
  const scope = { route: 'tail', workspaceId: query.workspaceId, filters: { ...query.filters } }
  if (query.cursor === undefined) {
    const mark = await deps.turns.run([query.workspaceId, query.userId], () => readMark(deps.db, query.workspaceId))
    const nextCursor = deps.cursors.seal(scope, startAt(mark))
    return ok({ rows: [], nextCursor, skipped: 0 })
  }
  const opened = deps.cursors.open<TailState>(scope, query.cursor)
  if (!opened.ok) return opened
  return await poll(deps, query, scope, opened.value.state)
}

type Polled = Outcome<TailPage, 'cursor_invalid'>

async function poll(deps: Deps, query: TailQuery, scope: CursorScope, first: TailState): Promise<Polled> {
  const deadlineMs = performance.now() + query.waitMs
  let state = first
  for (;;) {
    const lookedAtMs = performance.now()
    const looked = new AbortController()
    try {
      // The wait begins before the query, so that a commit in between also wakes it.
      const leftMs = deadlineMs - lookedAtMs
      const signal = AbortSignal.any([query.signal, looked.signal])
      const woken = leftMs > 0 ? deps.commits.wait(query.workspaceId, signal, Math.min(leftMs, maxSleepMs)) : null
      const step = await deps.turns.run([query.workspaceId, query.userId], () => look(deps.db, query, state))
      if (step === null) return refuse('cursor_invalid')
      const { rows, state: next, hasMore, skipped } = step
      if (rows.length > 0 || hasMore || skipped > 0 || woken === null || query.signal.aborted) {
        return ok({ rows, nextCursor: deps.cursors.seal(scope, next), skipped })
      }
      state = next
      await woken
    } finally {
      looked.abort()
    }
    const earlyMs = lookedAtMs + minLookMs - performance.now()
    if (earlyMs > 0) await sleep(Math.min(earlyMs, Math.max(0, deadlineMs - performance.now())))
  }
}

type Step = { rows: TailRow[]; state: TailState; hasMore: boolean; skipped: number }

/** Returns null if the cursor belongs to a history that the database has lost. */
async function look(db: Database, query: TailQuery, state: TailState): Promise<Step | null> {
  // The client disconnected while other polls had their turns: skip the query.
  if (query.signal.aborted) return { rows: [], state, hasMore: false, skipped: 0 }
  const mark = await readMark(db, query.workspaceId)
  return isOfLostHistory(state, mark) ? null : await takeStep(db, query, state, mark)
}

/** Reads the next page of the transactions between two snapshots. */
async function takeStep(db: Database, query: TailQuery, from: TailState, now: Mark): Promise<Step> {
  const until = from.until ?? now
  const state = { ...from, until }
  // Two more than the page uses: one shows that more transactions wait, and the first may have been reported already, so it is not used.
  const waiting = await db.rows<WaitingTransaction>('queries/list-commits', [
    query.workspaceId,
    state.snapshot,
    until.snapshot,
    state.at?.xid ?? null,
    maxTransactions + 2,
  ])
  const portion = choosePortion(waiting, state.at, maxTransactions)
  if (portion === null) return { rows: [], ...finish(state, until), hasMore: false }

  const rows = await db.rows<TailRow>('queries/tail-events', [
    query.workspaceId,
    portion.firstXid,
    portion.lastXid,
    state.snapshot,
    until.snapshot,
    ...bindPlace(state.at, portion.firstXid),
    ...bindEventFilters(query.filters),
    query.limit + 1,
    portion.window.from,
    portion.window.to,
  ])
  const page = rows.slice(0, query.limit)
  const last = page.at(-1)
  if (rows.length > query.limit && last !== undefined) {
    const at = { xid: last.xid, key: [last.start_key, last.trace_id, last.span_id] as const }
    const told = portion.eventsBefore(last.xid)
    return { rows: page, state: { ...state, at, told: state.told + told }, hasMore: true, skipped: 0 }
  }
  const told = state.told + portion.events
  if (portion.isLast) return { rows: page, ...finish({ ...state, told }, until), hasMore: false }
  return { rows: page, state: { ...state, at: { xid: portion.lastXid, key: null }, told }, hasMore: true, skipped: 0 }
}

/**
 * Returns three parameters: the key of the last reported event if the first transaction is partly reported, or nulls. If the partly
 * reported one is no longer recorded, another one is the first.
 */
function bindPlace(at: TailPosition | null, firstXid: string): unknown[] {
  if (at === null || at.key === null || at.xid !== firstXid) return [null, null, null]
  const [startKey, traceId, spanId] = at.key
  return [startKey, Buffer.from(traceId, 'hex'), Buffer.from(spanId, 'hex')]
}
