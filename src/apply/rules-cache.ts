// Floor 3. The rules that this front holds in memory: valid for seconds, read again once for all who wait, kept through an outage.
import { LRUCache } from 'lru-cache'
import { Outage } from '../base/fault.ts'
import type { ServedRules } from './rules-representation.ts'

export type RulesCacheOptions = {
  /** Reads and serialises; `same` where the version is still `ifVersion`, null where the workspace is gone. Throws Outage. */
  readonly load: (workspaceId: string, ifVersion: number | null) => Promise<ServedRules | 'same' | null>
  /** Told when a workspace's rules have become others than those held. */
  readonly onChange: (workspaceId: string) => void
  /** Told when an outage is bridged with what is held. */
  readonly onStale: () => void
  readonly maxBytes: number
  readonly nowMs: () => number
}

/** `ageS`: 0, or during an outage the whole seconds since the rules were last known to be right. */
export type HeldRules = { readonly rules: ServedRules; readonly ageS: number }

export type RulesCache = {
  /** What is held, where it needs no look at the database. Free. */
  readonly peek: (workspaceId: string) => ServedRules | null
  /** Null where the workspace is gone. Throws Outage where nothing young enough is held and nothing can be read. */
  readonly read: (workspaceId: string) => Promise<HeldRules | null>
  /** The next read looks again. */
  doubt(workspaceId: string): void
  doubtAll(): void
}

const freshForMs = 5_000
const bridgeForMs = 60_000
// While the database is away not every request has to find that out for itself.
const retryAfterFailureMs = 1_000
const emptySlotBytes = 512

type Slot = {
  rules: ServedRules | null
  /** When a read began that found the rules right; null: a notice has cast doubt since. */
  verifiedAtMs: number | null
  /** The same, but doubt leaves it: how long an outage may be bridged. */
  heldSinceMs: number
  failedAtMs: number
  reading: Promise<boolean> | null
}

export function makeRulesCache(options: RulesCacheOptions): RulesCache {
  const { nowMs } = options
  const slots = new LRUCache<string, Slot>({
    maxSize: options.maxBytes,
    sizeCalculation: (slot) => slot.rules?.bytes ?? emptySlotBytes,
  })

  const isFresh = (slot: Slot): boolean => slot.verifiedAtMs !== null && nowMs() - slot.verifiedAtMs < freshForMs

  /** Gives whether the workspace exists. */
  async function verify(workspaceId: string, slot: Slot): Promise<boolean> {
    const startedAtMs = nowMs()
    const reading = load(workspaceId, slot, startedAtMs, () => slot.reading === reading)
    slot.reading = reading
    try {
      return await reading
    } finally {
      if (slot.reading === reading) slot.reading = null
    }
  }

  async function load(workspaceId: string, slot: Slot, startedAtMs: number, isLast: () => boolean): Promise<boolean> {
    const found = await options.load(workspaceId, slot.rules?.version ?? null)
    if (found === null) {
      slots.delete(workspaceId)
      options.onChange(workspaceId)
      return false
    }
    // Doubted while it was under way: it may have read what held before, so it counts for nothing unless it is news.
    const isCurrent = isLast()
    if (found !== 'same' && (isCurrent || found.version > (slot.rules?.version ?? -1))) {
      const isNews = slot.rules?.plain.etag !== found.plain.etag
      slot.rules = found
      // Taken out first: setting the value that is already there would not weigh it again.
      slots.delete(workspaceId)
      slots.set(workspaceId, slot)
      if (isNews) options.onChange(workspaceId)
    }
    slot.heldSinceMs = Math.max(slot.heldSinceMs, startedAtMs)
    if (isCurrent) slot.verifiedAtMs = startedAtMs
    return true
  }

  function open(workspaceId: string): Slot {
    const known = slots.get(workspaceId)
    if (known !== undefined) return known
    const never = Number.NEGATIVE_INFINITY
    const slot: Slot = { rules: null, verifiedAtMs: null, heldSinceMs: never, failedAtMs: never, reading: null }
    slots.set(workspaceId, slot)
    return slot
  }

  function bridge(slot: Slot): HeldRules | null {
    const ageMs = nowMs() - slot.heldSinceMs
    if (slot.rules === null || ageMs > bridgeForMs) return null
    options.onStale()
    return { rules: slot.rules, ageS: Math.max(1, Math.ceil(ageMs / 1_000)) }
  }

  function doubt(slot: Slot): void {
    slot.verifiedAtMs = null
    slot.reading = null
  }

  return {
    peek(workspaceId) {
      const slot = slots.get(workspaceId)
      return slot !== undefined && isFresh(slot) ? slot.rules : null
    },
    async read(workspaceId) {
      const slot = open(workspaceId)
      if (slot.rules !== null && isFresh(slot)) return { rules: slot.rules, ageS: 0 }
      if (nowMs() - slot.failedAtMs < retryAfterFailureMs) {
        const held = bridge(slot)
        if (held !== null) return held
      }
      try {
        const exists = await (slot.reading ?? verify(workspaceId, slot))
        return exists && slot.rules !== null ? { rules: slot.rules, ageS: 0 } : null
      } catch (error) {
        if (!(error instanceof Outage)) throw error
        slot.failedAtMs = nowMs()
        const held = bridge(slot)
        if (held === null) throw error
        return held
      }
    },
    doubt(workspaceId) {
      const slot = slots.peek(workspaceId)
      if (slot !== undefined) doubt(slot)
    },
    doubtAll() {
      for (const slot of slots.values()) doubt(slot)
    },
  }
}
