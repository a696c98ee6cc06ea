// The rules that this front holds in memory: valid for seconds, read again once for all who wait, kept through an outage.
import { LRUCache } from 'lru-cache'
import { Outage } from '../base/fault.ts'
import { makeKeyedSemaphore } from '../base/keyed-semaphore.ts'
import { countWrites } from '../base/rules-version.ts'
import { late, within } from '../base/within.ts'
import type { ServedRules } from './rules-representation.ts'

export type RulesCacheOptions = {
  /** Reads and serialises; `same` where the version is still `ifVersion`, null where the workspace is gone. Throws Outage. */
  readonly load: (workspaceId: string, ifVersion: string | null) => Promise<ServedRules | 'same' | null>
  /** Told when a workspace's rules have become others than those held. */
  readonly onChange: (workspaceId: string) => void
  /** Told when an outage is bridged with what is held. */
  readonly onStale: () => void
  /** Told of what a look threw, other than Outage, that somebody no longer waited for. */
  readonly onLateError: (error: unknown) => void
  /** What is held may have changed without a notice. */
  readonly isDeaf: () => boolean
  readonly maxBytes: number
  readonly nowMs: () => number
  readonly patience?: RulesPatience
}

/** How long a caller waits for a look. */
export type RulesPatience = {
  /** What is held is merely old. */
  readonly oldMs: number
  /** Somebody said that what is held has changed, or nothing is held: a late answer is worth more than an old one. */
  readonly doubtedMs: number
}

// With the wait for the key, which comes before (keys/verify.ts), a caller whom memory can answer waits less than 300 ms.
export const rulesPatience: RulesPatience = { oldMs: 200, doubtedMs: 2_000 }

/** `ageS`: 0, or the whole seconds since the rules were last known to be right: in an outage, or where no notice would come. */
export type HeldRules = { readonly rules: ServedRules; readonly ageS: number }

export type RulesCache = {
  /** What is held, where it needs no look at the database, whatever its age. Free. */
  readonly peek: (workspaceId: string) => ServedRules | null
  /** Null where the workspace is gone. Throws Outage where nothing young enough is held and nothing can be read in time. */
  readonly read: (workspaceId: string) => Promise<HeldRules | null>
  /** The same, with a look even where what is held is fresh. */
  readonly readAgain: (workspaceId: string) => Promise<HeldRules | null>
  /** The next read looks again. */
  doubt(workspaceId: string): void
  doubtAll(): void
}

const freshForMs = 5_000
const bridgeForMs = 60_000
// While the database is away not every request has to find that out for itself.
const retryAfterFailureMs = 1_000
const emptySlotBytes = 512
// Each doubt makes for another look. A workspace whose rules change all the time must not take all turns with the database.
const looksOfOne = 4

/** `exists`: the workspace does. `hasBegun`: it may miss what changes from here on. `isLeft`: somebody who waited was answered without it. */
type Look = { readonly startedAtMs: number; readonly exists: Promise<boolean>; hasBegun: boolean; isLeft: boolean }

/** By number of writes: what was asked for later decides, so that a wrong guess lasts no longer than that look. */
const isLater = (found: ServedRules, held: ServedRules | null): boolean =>
  held === null || countWrites(found.version) > countWrites(held.version)

type Slot = {
  rules: ServedRules | null
  /** When a read began that found the rules right; null: a notice has cast doubt since. */
  verifiedAtMs: number | null
  /** The same, but doubt leaves it: how long an outage may be bridged. */
  heldSinceMs: number
  failedAtMs: number
  /** When the first look began of those that have been in vain since the last good one or the last doubt; null: none has. */
  silentSinceMs: number | null
  look: Look | null
}

export function makeRulesCache(options: RulesCacheOptions): RulesCache {
  const { nowMs, patience = rulesPatience } = options
  const slots = new LRUCache<string, Slot>({
    maxSize: options.maxBytes,
    sizeCalculation: (slot) => slot.rules?.bytes ?? emptySlotBytes,
  })
  const turns = makeKeyedSemaphore(looksOfOne, Number.POSITIVE_INFINITY)

  const isFresh = (slot: Slot): boolean => slot.verifiedAtMs !== null && nowMs() - slot.verifiedAtMs < freshForMs

  function begin(workspaceId: string, slot: Slot): Look {
    const startedAtMs = nowMs()
    slot.silentSinceMs ??= startedAtMs
    const exists = turns.run(workspaceId, async () => {
      look.hasBegun = true
      return await load(workspaceId, slot, look)
    })
    const look: Look = { startedAtMs, exists, hasBegun: false, isLeft: false }
    slot.look = look
    look.exists.then(
      () => end(slot, look),
      (error: unknown) => fail(slot, look, error),
    )
    return look
  }

  function end(slot: Slot, look: Look): void {
    if (slot.look === look) slot.look = null
  }

  function fail(slot: Slot, look: Look, error: unknown): void {
    const isOutage = error instanceof Outage
    if (isOutage && slot.look === look) slot.failedAtMs = nowMs()
    if (!isOutage && look.isLeft) options.onLateError(error)
    end(slot, look)
  }

  /** Gives whether the workspace exists. */
  async function load(workspaceId: string, slot: Slot, look: Look): Promise<boolean> {
    const found = await options.load(workspaceId, slot.rules?.version ?? null)
    if (found === null) {
      slots.delete(workspaceId)
      options.onChange(workspaceId)
      return false
    }
    // Doubted while it was under way: it may have read what held before, so it counts for nothing unless it is news.
    const isCurrent = slot.look === look
    if (found !== 'same' && (isCurrent || isLater(found, slot.rules))) {
      const isNews = slot.rules?.plain.etag !== found.plain.etag
      slot.rules = found
      // Taken out first: setting the value that is already there would not weigh it again.
      slots.delete(workspaceId)
      slots.set(workspaceId, slot)
      if (isNews) options.onChange(workspaceId)
    }
    slot.heldSinceMs = Math.max(slot.heldSinceMs, look.startedAtMs)
    if (isCurrent) {
      slot.verifiedAtMs = look.startedAtMs
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
      look: null,
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

  /** How long a caller waits for the look. A doubt is waited out once, not by every caller of a database that hangs. */
  function findPatienceMs(slot: Slot, { startedAtMs }: Look): number {
    if (!canBridge(slot)) return patience.doubtedMs
    const isDoubted = slot.verifiedAtMs === null
    const doubtEndsAtMs = isDoubted ? (slot.silentSinceMs ?? startedAtMs) + patience.doubtedMs : startedAtMs
    return Math.max(startedAtMs + patience.oldMs, doubtEndsAtMs) - nowMs()
  }

  /** Whether the workspace exists; an Outage where that cannot be told, or not in time. */
  async function ask(slot: Slot, look: Look): Promise<boolean | Outage> {
    try {
      const exists = await within(findPatienceMs(slot, look), look.exists)
      if (exists !== late) return exists
      look.isLeft = true
      return new Outage('the rules could not be read in time', { cause: 'neither actor nor database has answered' })
    } catch (error) {
      if (error instanceof Outage) return error
      throw error
    }
  }

  async function lookOrBridge(workspaceId: string, slot: Slot): Promise<HeldRules | null> {
    const exists = await ask(slot, slot.look ?? begin(workspaceId, slot))
    if (!(exists instanceof Outage)) return exists && slot.rules !== null ? { rules: slot.rules, ageS: 0 } : null
    const held = bridge(slot)
    if (held === null) throw exists
    return held
  }

  function doubt(slot: Slot): void {
    slot.verifiedAtMs = null
    slot.silentSinceMs = null
    // One that waits for its turn will see the change.
    if (slot.look?.hasBegun === true) slot.look = null
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
      return (hasJustFailed ? bridge(slot) : null) ?? (await lookOrBridge(workspaceId, slot))
    },
    readAgain: (workspaceId) => lookOrBridge(workspaceId, open(workspaceId)),
    doubt(workspaceId) {
      const slot = slots.peek(workspaceId)
      if (slot !== undefined) doubt(slot)
    },
    doubtAll() {
      for (const slot of slots.values()) doubt(slot)
    },
  }
}
