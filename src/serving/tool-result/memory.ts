// Keeps answers in memory, each for as long as it is certainly right. Callers that wait for the same lookup share it.
import { LRUCache } from 'lru-cache'
import { inputSubject, scopeSubject, toolSubject } from '../../encode/result-subjects.ts'
import { makeResultAnswer, refusal, type ToolResultAnswer } from './answer.ts'
import type { FoundResult } from './find-result.ts'
import type { WantedResult } from './match.ts'

export type MemoryOptions = {
  /** Finds the result as of `nowMs`. Throws Outage. */
  readonly find: (wanted: WantedResult, nowMs: number) => Promise<FoundResult>
  readonly maxBytes: number
  /** Unix milliseconds; measures the age of the result. */
  readonly nowMs: () => number
  /** Monotonic; measures the age of an answer. */
  readonly steadyMs: () => number
}

export type ResultMemory = {
  /** Returns the answer that is right now, if it is known; null: `read` has to look it up. Free. */
  readonly peek: (wanted: WantedResult) => ToolResultAnswer | null
  /**
   * Returns the answer from memory, or by a database lookup that all callers share. If answers change very fast, it takes a few lookups.
   * Throws Outage.
   */
  readonly read: (wanted: WantedResult) => Promise<ToolResultAnswer>
  /** Called when executions of these subjects were stored; null: of any subject. */
  forget(workspaceId: string, subjects: readonly number[] | null): void
  /** Called when notices may have been lost. */
  forgetAll(): void
  bytes(): number
}

// A notice may be lost, and retention removes events without one.
const maxAgeMs = 5_000
// Settling moves events between agents without a notice.
const maxAgeOfAgentMs = 1_000
const overheadBytes = 1_024
// During each lookup, a newer execution may end or the result may become too old.
const maxLooks = 3

/** An answer, or the lookup for it. A slot that a notice has removed is neither kept nor served to later callers. */
type Slot = {
  readonly wanted: WantedResult
  readonly subjects: readonly number[]
  answer: ToolResultAnswer
  /** Time from which another answer may be right, Unix microseconds. */
  untilUs: number
  readAtMs: number
  looking: Promise<Slot> | null
}

const listSubjects = ({ rule: { type, toolName }, hash }: WantedResult): readonly number[] => [
  toolSubject(toolName),
  type === 'suppress_dead' ? scopeSubject(toolName, hash) : inputSubject(toolName, hash),
]

/** Bounded by bytes; the least recently used answers are evicted first. */
export function makeResultMemory(options: MemoryOptions): ResultMemory {
  const { nowMs, steadyMs } = options
  // Keys of the slots by workspace and subject.
  const bySubject = new Map<string, Map<number, Set<string>>>()
  const slots = new LRUCache<string, Slot>({
    maxSize: options.maxBytes,
    sizeCalculation: ({ answer }, key) =>
      overheadBytes + 2 * key.length + (answer === refusal ? 0 : answer.body.byteLength),
    dispose: (slot) => unlist(slot),
  })

  function list({ wanted: { rule, key }, subjects }: Slot): void {
    const known = bySubject.get(rule.workspaceId) ?? new Map<number, Set<string>>()
    bySubject.set(rule.workspaceId, known)
    for (const subject of subjects) known.set(subject, (known.get(subject) ?? new Set()).add(key))
  }

  function unlist({ wanted: { rule, key }, subjects }: Slot): void {
    const known = bySubject.get(rule.workspaceId)
    for (const subject of subjects) {
      const keys = known?.get(subject)
      keys?.delete(key)
      if (keys?.size === 0) known?.delete(subject)
    }
    if (known?.size === 0) bySubject.delete(rule.workspaceId)
  }

  /** Stores a slot. It is set again even if it is already there, so that its size is computed again. */
  function keep(slot: Slot): void {
    const { key } = slot.wanted
    slots.delete(key)
    list(slot)
    slots.set(key, slot)
    // A slot larger than the whole memory was not stored.
    if (!slots.has(key)) unlist(slot)
  }

  const isRight = ({ wanted: { rule }, untilUs, readAtMs }: Slot): boolean =>
    nowMs() * 1_000 < untilUs && steadyMs() - readAtMs < (rule.agentId === null ? maxAgeMs : maxAgeOfAgentMs)

  async function look(slot: Slot): Promise<Slot> {
    const { rule, key } = slot.wanted
    const asOfMs = nowMs()
    const readAtMs = steadyMs()
    try {
      const { result, aheadEndUs } = await options.find(slot.wanted, asOfMs)
      slot.answer = result === null ? refusal : makeResultAnswer(rule, result)
      const staleUs = result === null ? Number.POSITIVE_INFINITY : result.endUs + rule.freshnessS * 1_000_000
      slot.untilUs = Math.min(staleUs, aheadEndUs ?? Number.POSITIVE_INFINITY)
      slot.readAtMs = readAtMs
      slot.looking = null
      // If the slot was removed meanwhile, only the callers that already wait get the answer.
      if (slots.peek(key) === slot) keep(slot)
    } catch (error) {
      if (slots.peek(key) === slot) slots.delete(key)
      throw error
    }
    return slot
  }

  function begin(wanted: WantedResult): Promise<Slot> {
    const never = Number.NEGATIVE_INFINITY
    const subjects = listSubjects(wanted)
    const slot: Slot = { wanted, subjects, answer: refusal, untilUs: never, readAtMs: never, looking: null }
    keep(slot)
    slot.looking = look(slot)
    return slot.looking
  }

  return {
    peek({ key }) {
      const slot = slots.get(key)
      return slot !== undefined && isRight(slot) ? slot.answer : null
    },
    async read(wanted) {
      for (let look = 0; look < maxLooks; look += 1) {
        const known = slots.get(wanted.key)
        if (known !== undefined && isRight(known)) return known.answer
        const { answer, untilUs } = await (known?.looking ?? begin(wanted))
        // The answer has to be right when it is given, not when it was looked up.
        if (nowMs() * 1_000 < untilUs) return answer
      }
      return refusal
    },
    forget(workspaceId, subjects) {
      const known = bySubject.get(workspaceId)
      if (known === undefined) return
      for (const subject of subjects ?? [...known.keys()]) {
        for (const key of known.get(subject) ?? []) slots.delete(key)
      }
    },
    forgetAll: () => slots.clear(),
    bytes: () => slots.calculatedSize,
  }
}
