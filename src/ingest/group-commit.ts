// The group commit: batches of concurrent requests that are ready within a few milliseconds of each other share one transaction.
import { Outage } from '../base/fault.ts'
import type { Database } from '../store/database.ts'
import { type Batch, type BatchOutcome, batchBytes, freeBatch, rowCount } from './batch.ts'
import { openLikelyDuplicates } from './commit/likely-duplicates.ts'
import { storeGroup } from './commit/store-group.ts'
import { type Group, type GroupClass, openCommitQueue } from './commit-queue.ts'

export type GroupCommitOptions = {
  readonly db: Database
  /** A group is flushed at once when it has this many rows, or the bytes of as many ordinary rows … */
  readonly flushRows: number
  /** … or when its first batch has waited this long; much longer while another group of its class, or of its workspace, is committing. */
  readonly flushMs: number
  /** Number of groups that commit in parallel. One of them is reserved for groups of small senders, unless it is the only one. */
  readonly maxCommits: number
  /** Decoded bytes that may wait or be committing. Above this limit, batches are refused with an Outage. */
  readonly maxBytes: number
  /** A batch whose commit has not begun after this time is refused with an Outage: its sender may have given up, and others still wait. */
  readonly maxWaitMs: number
  readonly onFlush: (flush: { cause: FlushCause; rows: number; durationMs: number }) => void
  /** Default: the real time. */
  readonly clock?: GroupCommitClock
}

export type GroupCommitClock = {
  /** Monotonic time in milliseconds. */
  nowMs(): number
  /** Runs the function once after the delay. Returns a function that cancels it. */
  after(delayMs: number, run: () => void): () => void
}

export type FlushCause = 'rows' | 'age' | 'stop'

export type GroupCommit = {
  /** Resolves after the commit, with the outcome of this batch. Throws Outage if the batch must be sent again. */
  store(batch: Batch): Promise<BatchOutcome>
  /** Bytes of the batches that wait or are being committed; `maxBytes` limits this number. */
  queuedBytes(): number
  /** Flushes the waiting batches and resolves when the last commit has ended. */
  stop(): Promise<void>
}

type Caller = {
  readonly done: (outcome: BatchOutcome) => void
  readonly fail: (error: unknown) => void
}

/**
 * How many times longer a batch waits while another group commits. A transaction costs the same work and round trips however few rows it
 * has, so a group that runs beside another one should be full, unless the other one is stuck.
 */
const besideFactor = 20

const realClock: GroupCommitClock = {
  nowMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}

/** Opens the queue. It holds no acknowledged span: the requests of waiting batches have not been answered. */
export function openGroupCommit(options: GroupCommitOptions): GroupCommit {
  const likelyDuplicates = openLikelyDuplicates()
  const queue = openCommitQueue<Caller>(options.flushRows)
  const maxLargeCommits = Math.max(1, options.maxCommits - 1)
  const commits = { small: 0, large: 0 }
  let bytes = 0
  const { nowMs, after } = options.clock ?? realClock
  /** If both classes are due, the next group is of the other class. */
  let lastClass: GroupClass = 'large'
  let cancelLook: (() => void) | null = null
  let stopping = false
  let onIdle: (() => void) | null = null

  function store(batch: Batch): Promise<BatchOutcome> {
    if (stopping || !makeRoom(batch)) return Promise.reject(makeFullError())
    bytes += batchBytes(batch)
    return new Promise((done, fail) => {
      queue.add(batch, nowMs(), { done, fail })
      look()
    })
  }

  /** If memory is short, refuses batches of the workspace that holds most of the waiting bytes. */
  function makeRoom(batch: Batch): boolean {
    const size = batchBytes(batch)
    // A batch that is larger than the whole limit is admitted when nothing else waits: if refused, it would be sent again forever.
    while (bytes > 0 && bytes + size > options.maxBytes) {
      const refused = queue.takeFromLargest(batch)
      if (refused === null) return false
      bytes -= refused.bytes
      refused.caller.fail(makeFullError())
    }
    return true
  }

  /** Starts the groups that are due, refuses overdue batches, and schedules itself for the next time that either occurs. */
  function look(): void {
    cancelLook?.()
    cancelLook = null
    expire()
    for (let due = findDue(); due !== null; due = findDue()) flush(due.groupClass, due.cause)
    const nextMs = findNextMs()
    if (nextMs !== null) cancelLook = after(Math.max(1, nextMs - nowMs()), look)
  }

  function findDue(): { groupClass: GroupClass; cause: FlushCause } | null {
    for (const groupClass of lastClass === 'large' ? smallFirst : largeFirst) {
      const cause = findCause(groupClass)
      if (cause !== null) return { groupClass, cause }
    }
    return null
  }

  /** While all commits are busy, batches gather for the next one. */
  const mayBegin = (groupClass: GroupClass): boolean =>
    commits.small + commits.large < options.maxCommits && (groupClass === 'small' || commits.large < maxLargeCommits)

  function findCause(groupClass: GroupClass): FlushCause | null {
    if (queue.weight(groupClass) === 0 || !mayBegin(groupClass)) return null
    if (queue.weight(groupClass) >= options.flushRows) return 'rows'
    if (stopping) return 'stop'
    return (firstDueMs(groupClass) ?? Number.POSITIVE_INFINITY) <= nowMs() ? 'age' : null
  }

  /** The wait beside another group is at most half of `maxWaitMs`, so that a batch does not expire while a connection is free. */
  const firstDueMs = (groupClass: GroupClass): number | null =>
    queue.firstDueMs(groupClass, (sinceMs, isCommitting) => {
      const isBeside = isCommitting || commits[groupClass] > 0
      return sinceMs + (isBeside ? Math.min(options.flushMs * besideFactor, options.maxWaitMs / 2) : options.flushMs)
    })

  /** When the next batch becomes due or overdue; null: none waits. */
  function findNextMs(): number | null {
    const oldestMs = queue.oldestMs()
    if (oldestMs === null) return null
    const dueMs = smallFirst.map((groupClass) => (mayBegin(groupClass) ? firstDueMs(groupClass) : null))
    return Math.min(oldestMs + options.maxWaitMs, ...dueMs.filter((ms) => ms !== null))
  }

  function expire(): void {
    for (const { bytes: size, caller } of queue.takeUntil(nowMs() - options.maxWaitMs)) {
      bytes -= size
      caller.fail(new Outage('limit', 'the commit did not start in time'))
    }
  }

  function flush(groupClass: GroupClass, cause: FlushCause): void {
    const group = queue.takeGroup(groupClass)
    lastClass = groupClass
    commits[groupClass] += 1
    void commit(group, cause).then(() => {
      commits[groupClass] -= 1
      queue.end(group)
      look()
      if (commits.small + commits.large === 0) onIdle?.()
    })
  }

  async function commit(group: Group<Caller>, cause: FlushCause): Promise<void> {
    const startedAtMs = nowMs()
    const batches = group.batches.map(({ batch }) => batch)
    const rows = batches.reduce((sum, batch) => sum + rowCount(batch), 0)
    try {
      const outcomes = await storeGroup(options.db, batches, likelyDuplicates)
      // Only after a commit: after a failure, a socket may still be reading the buffers.
      for (const batch of batches) freeBatch(batch)
      for (const [at, { caller }] of group.batches.entries()) caller.done(outcomes[at] as BatchOutcome)
    } catch (error) {
      for (const { caller } of group.batches) caller.fail(error)
    } finally {
      for (const { bytes: size } of group.batches) bytes -= size
      options.onFlush({ cause, rows, durationMs: nowMs() - startedAtMs })
    }
  }

  async function stop(): Promise<void> {
    stopping = true
    look()
    if (commits.small + commits.large > 0) await new Promise<void>((done) => (onIdle = done))
  }

  return { store, queuedBytes: () => bytes, stop }
}

const smallFirst: readonly GroupClass[] = ['small', 'large']
const largeFirst: readonly GroupClass[] = ['large', 'small']

const makeFullError = (): Outage => new Outage('limit', 'the commit queue is full')
