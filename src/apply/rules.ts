// The rules of this front: memory, the actor, the database, in that order; and those who wait for a change.
import { makeKeyedWaiters, type WaitEnd } from '../base/keyed-waiters.ts'
import { makeSemaphore } from '../base/semaphore.ts'
import type { RulesSnapshot } from '../decisions/snapshot.ts'
import { type HeldRules, makeRulesCache, type RulesPatience } from './rules-cache.ts'
import { makeServedRules, type ServedRules } from './rules-representation.ts'

type Source = (workspaceId: string, ifVersion: string | null) => Promise<RulesSnapshot | 'same' | null>

export type RulesDeps = {
  /** The workspace's actor; null: no answer, go to the database. */
  readonly askActor: Source
  /** Null where the workspace is gone. Throws Outage. */
  readonly readDatabase: Source
  /** Told of rules served from memory in an outage. */
  readonly onStale: () => void
  /** Told of what a look threw that nobody, or nobody any more, waited for. */
  readonly onError: (error: unknown) => void
  /** No notice would come: what memory answers is told with its age. */
  readonly isDeaf: () => boolean
  readonly nowMs: () => number
  readonly maxCacheBytes?: number
  readonly recheckIntervalMs?: number
  readonly patience?: RulesPatience
}

export type Rules = {
  /** What is held, where it is known to be right; null where `read` has to look, or tell its age. Free. */
  peek(workspaceId: string): ServedRules | null
  /** Null where the workspace is gone. Throws Outage. */
  read(workspaceId: string): Promise<HeldRules | null>
  /** `woken` when rules other than `seen` are held or the workspace is gone; `aborted` when the signal aborts or the front stops. */
  waitForChange(workspaceId: string, seen: ServedRules, signal: AbortSignal, timeoutMs: number): Promise<WaitEnd>
  /** A notice: the rules of the workspace have changed, or it is gone. */
  doubt(workspaceId: string): void
  /** Ends the waits of one workspace, or of all, though its rules may be the same: something else about the callers has changed. */
  wake(workspaceId: string | null): void
  /** Notices may have been lost. */
  doubtAll(): void
  parked(): number
  /** Reads of rules that wait for their turn with the database. */
  waiting(): number
  stop(): void
}

const limits = { maxWaiting: 10_000, maxPerKey: 2_500 }
const readThrough = { concurrent: 8, maxWaiting: 1_000, maxWaitMs: 2_000 }

/** Long-lived; `stop` ends the parked calls. */
export function openRules(deps: RulesDeps): Rules {
  const { maxCacheBytes = 64 * 1024 * 1024, recheckIntervalMs = 5_000 } = deps
  const waiters = makeKeyedWaiters(limits)
  const database = makeSemaphore(readThrough.concurrent, readThrough.maxWaiting, readThrough.maxWaitMs)
  // One a workspace with parked callers: covers lost notices, however many wait.
  const rechecks = new Map<string, NodeJS.Timeout>()

  const cache = makeRulesCache({
    async load(workspaceId, ifVersion) {
      const answer =
        (await deps.askActor(workspaceId, ifVersion)) ??
        (await database.run(() => deps.readDatabase(workspaceId, ifVersion)))
      return answer === null || answer === 'same' ? answer : await makeServedRules(answer)
    },
    onChange: (workspaceId) => waiters.wake(workspaceId),
    onStale: deps.onStale,
    onLateError: deps.onError,
    isDeaf: deps.isDeaf,
    maxBytes: maxCacheBytes,
    nowMs: deps.nowMs,
    ...(deps.patience === undefined ? {} : { patience: deps.patience }),
  })

  /** Looks on behalf of the parked; a change wakes them by way of the cache, and an outage leaves them parked. */
  function recheck(workspaceId: string): void {
    cache.readAgain(workspaceId).catch(deps.onError)
  }

  function startRechecks(workspaceId: string): void {
    if (rechecks.has(workspaceId)) return
    const timer = setInterval(() => {
      if (waiters.has(workspaceId)) return recheck(workspaceId)
      clearInterval(timer)
      rechecks.delete(workspaceId)
    }, recheckIntervalMs)
    timer.unref()
    rechecks.set(workspaceId, timer)
  }

  return {
    peek: (workspaceId) => (deps.isDeaf() ? null : cache.peek(workspaceId)),
    read: cache.read,
    async waitForChange(workspaceId, seen, signal, timeoutMs) {
      const held = cache.peek(workspaceId)
      if (held !== null && held.plain.etag !== seen.plain.etag) return 'woken'
      // A notice that came while nobody was parked has made nobody look.
      const isUnlooked = held === null && !waiters.has(workspaceId)
      startRechecks(workspaceId)
      const ended = waiters.wait(workspaceId, signal, timeoutMs)
      if (isUnlooked) recheck(workspaceId)
      return await ended
    },
    doubt(workspaceId) {
      cache.doubt(workspaceId)
      if (waiters.has(workspaceId)) recheck(workspaceId)
    },
    doubtAll() {
      cache.doubtAll()
      for (const workspaceId of rechecks.keys()) recheck(workspaceId)
    },
    wake: (workspaceId) => (workspaceId === null ? waiters.wakeAll() : waiters.wake(workspaceId)),
    parked: waiters.count,
    waiting: database.waiting,
    stop() {
      for (const timer of rechecks.values()) clearInterval(timer)
      rechecks.clear()
      waiters.stop()
    },
  }
}
