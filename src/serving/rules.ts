// The rules of this front, from memory, the actor or the database, in that order; and the callers that wait for a change.
import { makeKeyedWaiters, type WaitEnd } from '../base/keyed-waiters.ts'
import { makeSemaphore } from '../base/semaphore.ts'
import type { RulesSnapshot } from '../decisions/snapshot.ts'
import { type HeldRules, makeRulesCache, type RulesTimeouts } from './rules-cache.ts'
import { makeServedRules, type ServedRules } from './rules-representation.ts'

type Source = (workspaceId: string, ifVersion: string | null) => Promise<RulesSnapshot | 'same' | null>

export type RulesDeps = {
  /** Asks the actor of the workspace. Null: no answer, so the database is read. */
  readonly askActor: Source
  /** Returns null if the workspace is gone. Throws Outage. */
  readonly readDatabase: Source
  /** Called when rules are served from memory during an outage. */
  readonly onStale: () => void
  /** Called with errors of lookups that no caller waits for. */
  readonly onError: (error: unknown) => void
  /** Returns true if notices would not arrive: answers from memory then state their age. */
  readonly isDeaf: () => boolean
  readonly nowMs: () => number
  /** How many rules may be read from the database at once. */
  readonly maxReads: number
  readonly maxCacheBytes?: number
  readonly recheckIntervalMs?: number
  readonly timeouts?: RulesTimeouts
}

export type Rules = {
  /** Returns the held rules if they are known to be right; null if `read` has to look them up or state their age. Free. */
  peek(workspaceId: string): ServedRules | null
  /** Returns null if the workspace is gone. Throws Outage. */
  read(workspaceId: string): Promise<HeldRules | null>
  /**
   * Resolves to `woken` when rules other than `seen` are held or the workspace is gone, and to `aborted` when the signal aborts or the
   * front stops.
   */
  waitForChange(workspaceId: string, seen: ServedRules, signal: AbortSignal, timeoutMs: number): Promise<WaitEnd>
  /** Handles a notice: the rules of the workspace have changed, or the workspace is gone. */
  invalidate(workspaceId: string): void
  /** Ends the waits of one workspace, or of all, although the rules may be the same: something else about the callers has changed. */
  wake(workspaceId: string | null): void
  /** Called when notices may have been lost. */
  invalidateAll(): void
  parked(): number
  /** Returns the number of rule reads that wait for their turn with the database. */
  waiting(): number
  stop(): void
}

const limits = { maxWaiting: 10_000, maxPerKey: 2_500 }
const readThrough = { maxWaiting: 1_000, maxWaitMs: 2_000 }

/** Long-lived; `stop` ends the parked calls. */
export function openRules(deps: RulesDeps): Rules {
  const { maxCacheBytes = 64 * 1024 * 1024, recheckIntervalMs = 5_000 } = deps
  const waiters = makeKeyedWaiters(limits)
  const database = makeSemaphore(deps.maxReads, readThrough.maxWaiting, readThrough.maxWaitMs)
  // One timer per workspace with parked callers, however many wait: covers lost notices.
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
    ...(deps.timeouts === undefined ? {} : { timeouts: deps.timeouts }),
  })

  /** Looks the rules up for the parked callers. A change wakes them through the cache; an outage leaves them parked. */
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
      // A notice that arrived while no caller was parked has caused no lookup.
      const isUnchecked = held === null && !waiters.has(workspaceId)
      startRechecks(workspaceId)
      const ended = waiters.wait(workspaceId, signal, timeoutMs)
      if (isUnchecked) recheck(workspaceId)
      return await ended
    },
    invalidate(workspaceId) {
      cache.invalidate(workspaceId)
      if (waiters.has(workspaceId)) recheck(workspaceId)
    },
    invalidateAll() {
      cache.invalidateAll()
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
