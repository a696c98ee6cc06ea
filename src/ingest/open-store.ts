// Floor 3. The group commit: batches of concurrent requests that are ready within a few milliseconds share one transaction.
import { Outage } from '../base/fault.ts'
import type { Database } from '../store/database.ts'
import { type Batch, type BatchOutcome, batchBytes, rowCount } from './batch.ts'
import { storeGroup } from './commit/store-group.ts'

export type StoreOptions = {
  readonly db: Database
  /** A group is flushed at once when it has this many rows … */
  readonly flushRows: number
  /** … or when its first batch has waited this long. */
  readonly flushMs: number
  /** Groups that commit side by side. */
  readonly maxCommits: number
  /** Decoded bytes that may wait or be under way. Beyond it a batch is refused with an Outage. */
  readonly maxBytes: number
  readonly onFlush: (flush: { cause: 'rows' | 'age' | 'stop'; rows: number; durationMs: number }) => void
}

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
  readonly done: (outcome: BatchOutcome) => void
  readonly fail: (error: unknown) => void
}

/** Opens the queue. Holds no acknowledged span: whoever waits here has not been answered. */
export function openStore(options: StoreOptions): Store {
  let waiting: Waiting[] = []
  let waitingRows = 0
  let bytes = 0
  let commits = 0
  let timer: NodeJS.Timeout | null = null
  let stopping = false
  let onIdle: (() => void) | null = null

  function store(batch: Batch): Promise<BatchOutcome> {
    // One that is larger than the whole bound passes alone: refused, it would be sent again for ever.
    if (stopping || (bytes > 0 && bytes + batchBytes(batch) > options.maxBytes)) {
      return Promise.reject(new Outage('the queue of the database is full'))
    }
    bytes += batchBytes(batch)
    waitingRows += rowCount(batch)
    return new Promise((done, fail) => {
      waiting.push({ batch, done, fail })
      timer ??= setTimeout(flushByAge, options.flushMs)
      if (waitingRows >= options.flushRows) flush('rows')
    })
  }

  function flushByAge(): void {
    timer = null
    flush('age')
  }

  function flush(cause: 'rows' | 'age' | 'stop'): void {
    // While every commit is busy, batches gather for the next one.
    if (commits >= options.maxCommits || waiting.length === 0) return
    if (timer !== null) clearTimeout(timer)
    timer = null
    const group = takeGroup()
    if (waiting.length > 0) timer = setTimeout(flushByAge, options.flushMs)
    commits += 1
    void commit(group, cause).then(() => {
      commits -= 1
      if (waiting.length > 0) flush(waitingRows >= options.flushRows ? 'rows' : stopping ? 'stop' : 'age')
      else if (commits === 0) onIdle?.()
    })
  }

  function takeGroup(): Waiting[] {
    let rows = 0
    let taken = 0
    while (taken < waiting.length && (taken === 0 || rows < options.flushRows)) {
      rows += rowCount((waiting[taken] as Waiting).batch)
      taken += 1
    }
    const group = waiting.slice(0, taken)
    waiting = waiting.slice(taken)
    waitingRows -= rows
    return group
  }

  async function commit(group: readonly Waiting[], cause: 'rows' | 'age' | 'stop'): Promise<void> {
    const startedAtMs = performance.now()
    try {
      const outcomes = await storeGroup(
        options.db,
        group.map(({ batch }) => batch),
      )
      for (const [at, { done }] of group.entries()) done(outcomes[at] as BatchOutcome)
    } catch (error) {
      for (const { fail } of group) fail(error)
    } finally {
      bytes -= group.reduce((sum, { batch }) => sum + batchBytes(batch), 0)
      const rows = group.reduce((sum, { batch }) => sum + rowCount(batch), 0)
      options.onFlush({ cause, rows, durationMs: performance.now() - startedAtMs })
    }
  }

  async function stop(): Promise<void> {
    stopping = true
    flush('stop')
    if (commits > 0) await new Promise<void>((done) => (onIdle = done))
  }

  return { store, queuedBytes: () => bytes, stop }
}
