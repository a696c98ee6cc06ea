// Floor 3. The group commit: batches of concurrent requests that are ready within a few milliseconds share one transaction.
import { Outage } from '../base/fault.ts'
import type { Database } from '../store/database.ts'
import { type Batch, type BatchOutcome, batchBytes, freeBatch, rowCount } from './batch.ts'
import { storeGroup } from './commit/store-group.ts'
import { openSuspects } from './commit/suspects.ts'

export type StoreOptions = {
  readonly db: Database
  /** A group is flushed at once when it has this many rows … */
  readonly flushRows: number
  /** … or when its first batch has waited this long; much longer where another group is committing. */
  readonly flushMs: number
  /** Groups that commit side by side. */
  readonly maxCommits: number
  /** Decoded bytes that may wait or be under way. Beyond it a batch is refused with an Outage. */
  readonly maxBytes: number
  /** A batch whose commit has not begun by then is given back with an Outage: its sender may be gone, and the work is for others. */
  readonly maxWaitMs: number
  readonly onFlush: (flush: { cause: FlushCause; rows: number; durationMs: number }) => void
}

export type FlushCause = 'rows' | 'age' | 'stop'

export type Store = {
  /** Resolves after the commit, with the outcome of this batch alone. Throws Outage where it must be sent again. */
  store(batch: Batch): Promise<BatchOutcome>
  /** Bytes that wait or are under way: what the memory bound counts. */
  queuedBytes(): number
  /** Flushes what waits and resolves when the last commit has ended. */
  stop(): Promise<void>
}

type Waiting = {
  readonly batch: Batch
  readonly bytes: number
  readonly sinceMs: number
  readonly done: (outcome: BatchOutcome) => void
  readonly fail: (error: unknown) => void
}

/**
 * How many times longer a batch waits while another group commits: a transaction costs the same work and round trips however few
 * rows it has, so that groups side by side are full ones, unless the other is stuck.
 */
const besideFactor = 20

/** Opens the queue. Holds no acknowledged span: whoever waits here has not been answered. */
export function openStore(options: StoreOptions): Store {
  const suspects = openSuspects()
  let waiting: Waiting[] = []
  let waitingRows = 0
  let bytes = 0
  let commits = 0
  let timer: NodeJS.Timeout | null = null
  let stopping = false
  let onIdle: (() => void) | null = null

  function store(batch: Batch): Promise<BatchOutcome> {
    const size = batchBytes(batch)
    // One that is larger than the whole bound passes alone: refused, it would be sent again for ever.
    if (stopping || (bytes > 0 && bytes + size > options.maxBytes)) {
      return Promise.reject(new Outage('the commit queue is full'))
    }
    bytes += size
    waitingRows += rowCount(batch)
    return new Promise((done, fail) => {
      waiting.push({ batch, bytes: size, sinceMs: performance.now(), done, fail })
      look()
    })
  }

  /** Begins what is due, gives back what is overdue, and comes again when the next is. */
  function look(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    expire()
    for (let cause = findCause(); cause !== null; cause = findCause()) flush(cause)
    const first = waiting[0]
    if (first === undefined) return
    const dueMs = first.sinceMs + (commits < options.maxCommits ? patienceMs() : options.maxWaitMs)
    timer = setTimeout(look, Math.max(1, dueMs - performance.now()))
  }

  function findCause(): FlushCause | null {
    const first = waiting[0]
    // While every commit is busy, batches gather for the next one.
    if (first === undefined || commits >= options.maxCommits) return null
    if (waitingRows >= options.flushRows) return 'rows'
    if (stopping) return 'stop'
    return performance.now() - first.sinceMs >= patienceMs() ? 'age' : null
  }

  /** Beside another group never so long that a batch would be given back instead, while a connection is free. */
  const patienceMs = (): number =>
    commits === 0 ? options.flushMs : Math.min(options.flushMs * besideFactor, options.maxWaitMs / 2)

  function expire(): void {
    const limitMs = performance.now() - options.maxWaitMs
    const overdue = waiting.findIndex(({ sinceMs }) => sinceMs > limitMs)
    const expired = waiting.splice(0, overdue === -1 ? waiting.length : overdue)
    for (const { batch, bytes: size, fail } of expired) {
      bytes -= size
      waitingRows -= rowCount(batch)
      fail(new Outage('the commit did not start in time'))
    }
  }

  function flush(cause: FlushCause): void {
    const group = takeGroup()
    commits += 1
    void commit(group, cause).then(() => {
      commits -= 1
      look()
      if (commits === 0) onIdle?.()
    })
  }

  function takeGroup(): Waiting[] {
    let rows = 0
    let taken = 0
    while (taken < waiting.length && (taken === 0 || rows < options.flushRows)) {
      rows += rowCount((waiting[taken] as Waiting).batch)
      taken += 1
    }
    waitingRows -= rows
    return waiting.splice(0, taken)
  }

  async function commit(group: readonly Waiting[], cause: FlushCause): Promise<void> {
    const startedAtMs = performance.now()
    const batches = group.map(({ batch }) => batch)
    const rows = batches.reduce((sum, batch) => sum + rowCount(batch), 0)
    try {
      const outcomes = await storeGroup(options.db, batches, suspects)
      // Only what is committed: after a failure a socket may still be reading them.
      for (const batch of batches) freeBatch(batch)
      for (const [at, { done }] of group.entries()) done(outcomes[at] as BatchOutcome)
    } catch (error) {
      for (const { fail } of group) fail(error)
    } finally {
      for (const { bytes: size } of group) bytes -= size
      options.onFlush({ cause, rows, durationMs: performance.now() - startedAtMs })
    }
  }

  async function stop(): Promise<void> {
    stopping = true
    look()
    if (commits > 0) await new Promise<void>((done) => (onIdle = done))
  }

  return { store, queuedBytes: () => bytes, stop }
}
