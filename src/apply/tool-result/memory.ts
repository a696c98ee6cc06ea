// Answers kept in memory, each for as long as it is surely the right one; who waits for the same look shares it.
import { LRUCache } from 'lru-cache'
import { inputSubject, scopeSubject, toolSubject } from '../../otlp/rows/result-subjects.ts'
import { type Answer, makeResultAnswer, refusal } from './answer.ts'
import type { Found } from './find-result.ts'
import type { Wanted } from './match.ts'

export type MemoryOptions = {
  /** As of this time. Throws Outage. */
  readonly find: (wanted: Wanted, nowMs: number) => Promise<Found>
  readonly maxBytes: number
  /** Unix milliseconds: what freshness is measured by. */
  readonly nowMs: () => number
  /** Never steps: what the age of an answer is measured by. */
  readonly steadyMs: () => number
}

export type ResultMemory = {
  /** The answer that is right now, where it is known; null: `read` has to look. Free. */
  readonly peek: (wanted: Wanted) => Answer | null
  /** From memory, or by a look at the database that all callers share; by a few where answers change that fast. Throws Outage. */
  readonly read: (wanted: Wanted) => Promise<Answer>
  /** Executions of these subjects were stored; null: of any. */
  forget(workspaceId: string, subjects: readonly number[] | null): void
  /** Notices may have been lost. */
  forgetAll(): void
  bytes(): number
}

// A notice may be lost, and retention removes events without one.
const maxAgeMs = 5_000
// Settling moves events between agents without a notice.
const maxAgeOfAgentMs = 1_000
const overheadBytes = 1_024
// During each of them a newer execution may end, or the result grow too old.
const maxLooks = 3

/** An answer, or the look for one: what a notice takes out is neither served nor kept any more. */
type Slot = {
  readonly wanted: Wanted
  readonly subjects: readonly number[]
  answer: Answer
  /** Unix microseconds from which on another answer may be right. */
  untilUs: number
  lookedAtMs: number
  looking: Promise<Slot> | null
}

const listSubjects = ({ rule: { type, toolName }, hash }: Wanted): readonly number[] => [
  toolSubject(toolName),
  type === 'suppress_dead' ? scopeSubject(toolName, hash) : inputSubject(toolName, hash),
]

/** Bounded by bytes; what was used least goes first. */
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

  /** Set anew even where it is there already, so that it is weighed again. */
  function keep(slot: Slot): void {
    const { key } = slot.wanted
    slots.delete(key)
    list(slot)
    slots.set(key, slot)
    // One that is larger than all the room was not kept.
    if (!slots.has(key)) unlist(slot)
  }

  const isRight = ({ wanted: { rule }, untilUs, lookedAtMs }: Slot): boolean =>
    nowMs() * 1_000 < untilUs && steadyMs() - lookedAtMs < (rule.agentId === null ? maxAgeMs : maxAgeOfAgentMs)

  async function look(slot: Slot): Promise<Slot> {
    const { rule, key } = slot.wanted
    const asOfMs = nowMs()
    const lookedAtMs = steadyMs()
    try {
      const { result, aheadEndUs } = await options.find(slot.wanted, asOfMs)
      slot.answer = result === null ? refusal : makeResultAnswer(rule, result)
      const staleUs = result === null ? Number.POSITIVE_INFINITY : result.endUs + rule.freshnessS * 1_000_000
      slot.untilUs = Math.min(staleUs, aheadEndUs ?? Number.POSITIVE_INFINITY)
      slot.lookedAtMs = lookedAtMs
      slot.looking = null
      // Taken out meanwhile: those who wait have it, since they asked before.
      if (slots.peek(key) === slot) keep(slot)
    } catch (error) {
      if (slots.peek(key) === slot) slots.delete(key)
      throw error
    }
    return slot
  }

  function begin(wanted: Wanted): Promise<Slot> {
    const never = Number.NEGATIVE_INFINITY
    const subjects = listSubjects(wanted)
    const slot: Slot = { wanted, subjects, answer: refusal, untilUs: never, lookedAtMs: never, looking: null }
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
        // What is promised holds for the time of the answer, not of the look.
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
