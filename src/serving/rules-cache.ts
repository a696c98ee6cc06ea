// The rules that this front holds in memory: valid for seconds, read again once for all waiting callers, kept through an outage.
import { LRUCache } from 'lru-cache'
import { Outage } from '../base/fault.ts'
import { makeKeyedSemaphore } from '../base/keyed-semaphore.ts'
import { countWrites } from '../base/rules-version.ts'
import { late, withTimeout } from '../base/within.ts'
import type { ServedRules } from './rules-representation.ts'

export type RulesCacheOptions = {
  /** Reads and serializes. Returns `same` if the version is still `ifVersion`, and null if the workspace is gone. Throws Outage. */
  readonly load: (workspaceId: string, ifVersion: string | null) => Promise<ServedRules | 'same' | null>
  /** Called when the held rules of a workspace were replaced or removed. */
  readonly onChange: (workspaceId: string) => void
  /** Called when an outage is bridged with the held rules. */
  readonly onStale: () => void
  /** Called with an error of a lookup, other than Outage, if a caller has stopped waiting for it. */
  readonly onLateError: (error: unknown) => void
  /** Returns true if the held rules may have changed without a notice. */
  readonly isDeaf: () => boolean
  readonly maxBytes: number
  readonly nowMs: () => number
  readonly timeouts?: RulesTimeouts
}

/** How long a caller waits for a lookup. */
export type RulesTimeouts = {
  /** If the held rules are only old. */
  readonly oldMs: number
  /** If a notice reported that the held rules have changed, or if none are held: a late answer is better than an old one. */
  readonly invalidatedMs: number
}

// Together with the wait for the key, which comes before (keys/verify.ts), a caller that memory can answer waits less than 300 ms.
export const rulesTimeouts: RulesTimeouts = { oldMs: 200, invalidatedMs: 2_000 }

/** `ageS`: 0, or the whole seconds since the rules were last known to be right, during an outage or while notices do not arrive. */
export type HeldRules = { readonly rules: ServedRules; readonly ageS: number }

export type RulesCache = {
  /** Returns the held rules if they are fresh, without regard to missed notices; otherwise null. Free. */
  readonly peek: (workspaceId: string) => ServedRules | null
  /** Returns null if the workspace is gone. Throws Outage if no held rules are young enough and none can be read in time. */
  readonly read: (workspaceId: string) => Promise<HeldRules | null>
  /** Like `read`, but looks the rules up even if the held ones are fresh. */
  readonly readAgain: (workspaceId: string) => Promise<HeldRules | null>
  /** Makes the next read lookup the rules up again. */
  invalidate(workspaceId: string): void
  invalidateAll(): void
}

const freshForMs = 5_000
const bridgeForMs = 60_000
// While the database is unavailable, not every request waits for its failure.
const retryAfterFailureMs = 1_000
const emptySlotBytes = 512
// Each invalidation causes another lookup. A workspace whose rules change all the time must not use up the connections to the database.
const maxLookupsOfWorkspace = 2

/**
 * `exists`: whether the workspace exists. `hasBegun`: the lookup may miss later changes. `isAbandoned`: a waiting caller was answered
 * without it.
 */
type Lookup = {
  readonly startedAtMs: number
  readonly exists: Promise<boolean>
  hasBegun: boolean
  isAbandoned: boolean
}

/** Compares the numbers of writes. A wrong guess lasts no longer than the current lookup, whose result decides. */
const isLater = (found: ServedRules, held: ServedRules | null): boolean =>
  held === null || countWrites(found.version) > countWrites(held.version)

type Slot = {
  rules: ServedRules | null
  /** Start of the last read that found the rules right; null: a notice has invalidated them since. */
  verifiedAtMs: number | null
  /** Like `verifiedAtMs`, but not reset by an invalidation: limits how long an outage may be bridged. */
  heldSinceMs: number
  failedAtMs: number
  /** Start of the first lookup without success since the last successful one or the last invalidation; null: there was none. */
  silentSinceMs: number | null
  lookup: Lookup | null
}

export function makeRulesCache(options: RulesCacheOptions): RulesCache {
  const { nowMs, timeouts = rulesTimeouts } = options
  const slots = new LRUCache<string, Slot>({
    maxSize: options.maxBytes,
    sizeCalculation: (slot) => slot.rules?.bytes ?? emptySlotBytes,
  })
  const turns = makeKeyedSemaphore(maxLookupsOfWorkspace, Number.POSITIVE_INFINITY)

  const isFresh = (slot: Slot): boolean => slot.verifiedAtMs !== null && nowMs() - slot.verifiedAtMs < freshForMs

  function begin(workspaceId: string, slot: Slot): Lookup {
    const startedAtMs = nowMs()
    slot.silentSinceMs ??= startedAtMs
    const exists = turns.run(workspaceId, async () => {
      lookup.hasBegun = true
      return await load(workspaceId, slot, lookup)
    })
    const lookup: Lookup = { startedAtMs, exists, hasBegun: false, isAbandoned: false }
    slot.lookup = lookup
    lookup.exists.then(
      () => end(slot, lookup),
      (error: unknown) => fail(slot, lookup, error),
    )
    return lookup
  }

  function end(slot: Slot, lookup: Lookup): void {
    if (slot.lookup === lookup) slot.lookup = null
  }

  function fail(slot: Slot, lookup: Lookup, error: unknown): void {
    const isOutage = error instanceof Outage
    if (isOutage && slot.lookup === lookup) slot.failedAtMs = nowMs()
    if (!isOutage && lookup.isAbandoned) options.onLateError(error)
    end(slot, lookup)
  }

  /** Returns whether the workspace exists. */
  async function load(workspaceId: string, slot: Slot, lookup: Lookup): Promise<boolean> {
    const found = await options.load(workspaceId, slot.rules?.version ?? null)
    if (found === null) {
      slots.delete(workspaceId)
      options.onChange(workspaceId)
      return false
    }
    // If the rules were invalidated during the lookup, it may have read their earlier state: its result is used only if it is later than
    // the held rules.
    const isCurrent = slot.lookup === lookup
    if (found !== 'same' && (isCurrent || isLater(found, slot.rules))) {
      const isNews = slot.rules?.plain.etag !== found.plain.etag
      slot.rules = found
      // Deleted first: setting the value that is already there would not compute its size again.
      slots.delete(workspaceId)
      slots.set(workspaceId, slot)
      if (isNews) options.onChange(workspaceId)
    }
    slot.heldSinceMs = Math.max(slot.heldSinceMs, lookup.startedAtMs)
    if (isCurrent) {
      slot.verifiedAtMs = lookup.startedAtMs
      slot.silentSinceMs = null
    }
    return true
  }

  function open(workspaceId: string): Slot {
    const known = slots.get(workspaceId)
    if (known !== undefined) return known
    const never = Number.NEGATIVE_INFINITY
    const slot: Slot = {
      rules: null,
      verifiedAtMs: null,
      heldSinceMs: never,
      failedAtMs: never,
      silentSinceMs: null,
      lookup: null,
    }
    slots.set(workspaceId, slot)
    return slot
  }

  const canBridge = (slot: Slot): boolean => slot.rules !== null && nowMs() - slot.heldSinceMs <= bridgeForMs

  const findAgeS = ({ heldSinceMs }: Slot): number => Math.max(1, Math.ceil((nowMs() - heldSinceMs) / 1_000))

  function bridge(slot: Slot): HeldRules | null {
    if (slot.rules === null || !canBridge(slot)) return null
    options.onStale()
    return { rules: slot.rules, ageS: findAgeS(slot) }
  }

  /**
   * Returns how long a caller waits for the lookup. After an invalidation callers wait longer only once, not each of them while the
   * database does not respond.
   */
  function findWaitMs(slot: Slot, { startedAtMs }: Lookup): number {
    if (!canBridge(slot)) return timeouts.invalidatedMs
    const isInvalidated = slot.verifiedAtMs === null
    const invalidatedUntilMs = isInvalidated
      ? (slot.silentSinceMs ?? startedAtMs) + timeouts.invalidatedMs
      : startedAtMs
    return Math.max(startedAtMs + timeouts.oldMs, invalidatedUntilMs) - nowMs()
  }

  /** Returns whether the workspace exists, or an Outage if that cannot be determined in time. */
  async function ask(slot: Slot, lookup: Lookup): Promise<boolean | Outage> {
    try {
      const exists = await withTimeout(findWaitMs(slot, lookup), lookup.exists)
      if (exists !== late) return exists
      lookup.isAbandoned = true
      return new Outage('failure', 'the rules could not be read in time')
    } catch (error) {
      if (error instanceof Outage) return error
      throw error
    }
  }

  async function readOrBridge(workspaceId: string, slot: Slot): Promise<HeldRules | null> {
    const exists = await ask(slot, slot.lookup ?? begin(workspaceId, slot))
    if (!(exists instanceof Outage)) return exists && slot.rules !== null ? { rules: slot.rules, ageS: 0 } : null
    const held = bridge(slot)
    if (held === null) throw exists
    return held
  }

  function invalidate(slot: Slot): void {
    slot.verifiedAtMs = null
    slot.silentSinceMs = null
    // A lookup that still waits for its turn will see the change.
    if (slot.lookup?.hasBegun === true) slot.lookup = null
  }

  return {
    peek(workspaceId) {
      const slot = slots.get(workspaceId)
      return slot !== undefined && isFresh(slot) ? slot.rules : null
    },
    async read(workspaceId) {
      const slot = open(workspaceId)
      if (slot.rules !== null && isFresh(slot))
        return { rules: slot.rules, ageS: options.isDeaf() ? findAgeS(slot) : 0 }
      const hasJustFailed = nowMs() - slot.failedAtMs < retryAfterFailureMs
      return (hasJustFailed ? bridge(slot) : null) ?? (await readOrBridge(workspaceId, slot))
    },
    readAgain: (workspaceId) => readOrBridge(workspaceId, open(workspaceId)),
    invalidate(workspaceId) {
      const slot = slots.peek(workspaceId)
      if (slot !== undefined) invalidate(slot)
    },
    invalidateAll() {
      for (const slot of slots.values()) invalidate(slot)
    },
  }
}
