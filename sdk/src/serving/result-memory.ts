// SDK. Results that rules serve, kept in the process: a repeated call needs no request.
import { LRUCache } from 'lru-cache'
import { type Rule, type RuleBook, servesInput } from '../rule-book.ts'
import type { ResultText } from '../sealed-result.ts'

export type KeptResult = ResultText & {
  /** Age when it was kept, counted from the end of its execution. */
  readonly ageMs: number
  /** When it was kept; monotonic. */
  readonly keptAtMs: number
  /** Not served from then on, whatever its age; monotonic. */
  readonly untilMs: number
}

/** A real execution of an attested tool that has ended. */
export type EndedRun = {
  readonly tool: string
  readonly agentName: string
  /** The hashes that rules may know its result by: of its input, of its scope. */
  readonly hashes: readonly string[]
  /** The rule that covers it now, and the hash that this rule serves it by. */
  readonly rule: Rule | null
  readonly hash: string | null
  /** Null: it failed, or its result has no text. */
  readonly result: KeptResult | null
  /** Unix milliseconds. */
  readonly startMs: number
  /** The same moment, monotonic. */
  readonly startedAtMs: number
}

/** By both clocks: executions of other processes have only the one of the wall. */
export type Moment = { readonly unixMs: number; readonly monotonicMs: number }

/**
 * What is known of a look-up: a result; nothing; or that the newest real execution in this process gave nothing that may be
 * served, so that an older result must not be either.
 */
export type Known = KeptResult | 'unusable' | null

export type ResultMemory = {
  readonly find: (rule: Rule, hash: string, freshnessS: number) => Known
  readonly keep: (rule: Rule, hash: string, result: KeptResult) => void
  /** The result of the newest execution replaces what is known; a failure removes it. */
  readonly ended: (run: EndedRun) => void
  /** Removes what the rules in force no longer serve. */
  readonly obey: (book: RuleBook) => void
  /** Removes the results of the tool, or those that are known by these hashes. */
  readonly invalidate: (tool: string, hashes: readonly string[] | null, now: Moment) => void
  /** What was executed at this moment or before must not be served. */
  readonly lastInvalidated: (tool: string, hash: string) => Moment
  readonly bytes: () => number
}

type Entry = {
  readonly tool: string
  readonly hash: string
  readonly decisionId: string
  readonly executedAfterMs: number
  readonly result: KeptResult
}

// For the entry, its keys and its place in the cache.
const entryBytes = 1_024
const maxMarks = 10_000
const never: Moment = { unixMs: Number.NEGATIVE_INFINITY, monotonicMs: Number.NEGATIVE_INFINITY }

export const isFresh = ({ ageMs, keptAtMs, untilMs }: KeptResult, limitS: number, nowMs: number): boolean =>
  ageMs + (nowMs - keptAtMs) < limitS * 1_000 && nowMs < untilMs

/** The rule's agent is part of the key, since an execution of another agent does not count for its rule. */
const keyOf = (hash: string, agentName: string | null): string => (agentName === null ? hash : `${hash} ${agentName}`)

// Two bytes for each character is the most that a string takes.
const sizeOf = ({ result }: Entry): number => entryBytes + result.text.length * 2

/** `maxBytes` 0: no result is kept. */
export function makeResultMemory(maxBytes: number, monotonicMs: () => number): ResultMemory {
  const results = maxBytes === 0 ? null : new LRUCache<string, Entry>({ maxSize: maxBytes, sizeCalculation: sizeOf })
  const unusable = new LRUCache<string, true>({ max: maxMarks })
  const invalidated = new LRUCache<string, Moment>({ max: maxMarks })

  function keep(rule: Rule, hash: string, result: KeptResult, tool: string): void {
    const { decisionId, executedAfterMs, agentName } = rule
    results?.set(keyOf(hash, agentName), { tool, hash, decisionId, executedAfterMs, result })
  }

  function isServedBy(book: RuleBook, { decisionId, hash, executedAfterMs }: Entry): boolean {
    const rule = book.get(decisionId)
    if (rule === null || rule.executedAfterMs !== executedAfterMs) return false
    return rule.type === 'suppress_dead' || servesInput(rule, hash)
  }

  function removeWhere(isGone: (entry: Entry) => boolean): void {
    const gone: string[] = []
    results?.forEach((entry, key) => {
      if (isGone(entry)) gone.push(key)
    })
    for (const key of gone) results?.delete(key)
  }

  function lastInvalidated(tool: string, hash: string): Moment {
    const [ofTool, ofHash] = [invalidated.get(`tool ${tool}`) ?? never, invalidated.get(hash) ?? never]
    return ofTool.monotonicMs > ofHash.monotonicMs ? ofTool : ofHash
  }

  return {
    find(rule, hash, freshnessS) {
      const key = keyOf(hash, rule.agentName)
      if (unusable.has(key)) return 'unusable'
      const entry = results?.get(key)
      if (entry === undefined) return null
      if (entry.decisionId !== rule.decisionId || entry.executedAfterMs !== rule.executedAfterMs) return null
      return isFresh(entry.result, Math.min(rule.freshnessS, freshnessS), monotonicMs()) ? entry.result : null
    },
    keep: (rule, hash, result) => keep(rule, hash, result, rule.toolName),
    ended({ tool, agentName, hashes, rule, hash, result, startMs, startedAtMs }) {
      const isValid = result !== null && hashes.every((known) => startedAtMs > lastInvalidated(tool, known).monotonicMs)
      for (const key of hashes.flatMap((known) => [keyOf(known, null), keyOf(known, agentName)])) {
        results?.delete(key)
        if (isValid) unusable.delete(key)
        else unusable.set(key, true)
      }
      if (isValid && rule !== null && hash !== null && startMs > rule.executedAfterMs) keep(rule, hash, result, tool)
    },
    obey: (book) => removeWhere((entry) => !isServedBy(book, entry)),
    invalidate(tool, hashes, now) {
      for (const mark of hashes ?? [`tool ${tool}`]) invalidated.set(mark, now)
      removeWhere((entry) => (hashes === null ? entry.tool === tool : hashes.includes(entry.hash)))
    },
    lastInvalidated,
    bytes: () => results?.calculatedSize ?? 0,
  }
}
