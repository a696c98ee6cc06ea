// SDK. Results that rules serve, kept in the process: a repeated call needs no request.
import { LRUCache } from 'lru-cache'
import { type Rule, type RuleBook, servesInput } from '../rule-book.ts'
import type { ResultText } from '../sealed-result.ts'
import { inputPrefix } from './input-prefix.ts'

/** By both clocks: one may be set, the other may stand still while the machine sleeps. */
export type Moment = { readonly unixMs: number; readonly monotonicMs: number }

export type KeptResult = ResultText & {
  /** End of its execution: its age counts from then. */
  readonly end: Moment
  /** Not served from then on, whatever its age. */
  readonly expires: Moment
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
  readonly start: Moment
  /** Whether the content of both is the same: of the result, and of the one that would have been served in its place. */
  readonly isSame: (before: ResultText, result: ResultText) => boolean
}

/**
 * What is known of a look-up: a result; nothing; or that the newest real execution in this process gave nothing that may be
 * served, so that an older result must not be either.
 */
export type Known = KeptResult | 'unusable' | null

export type ResultMemory = {
  readonly find: (rule: Rule, hash: string, freshnessS: number) => Known
  readonly keep: (rule: Rule, hash: string, result: KeptResult) => void
  /**
   * The result of the newest execution replaces what is known; a failure removes it. So does another content than the one that would have
   * been served: then an equal result has to follow first, as the service asks for too. True for such another content.
   */
  readonly ended: (run: EndedRun) => boolean
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
  /** Of the hash: for many entries it takes time to compute, and rules change often. */
  readonly prefix: string
  readonly decisionId: string
  readonly executedAfterMs: number
  readonly result: KeptResult
}

// For the entry, its keys and its place in the cache.
const entryBytes = 1_024
const maxMarks = 10_000

export const never: Moment = { unixMs: Number.POSITIVE_INFINITY, monotonicMs: Number.POSITIVE_INFINITY }
const longAgo: Moment = { unixMs: Number.NEGATIVE_INFINITY, monotonicMs: Number.NEGATIVE_INFINITY }

/** Milliseconds from the one to the other, by the clock that says more. */
const between = (from: Moment, to: Moment): number =>
  Math.max(to.unixMs - from.unixMs, to.monotonicMs - from.monotonicMs)

export const isFresh = ({ end, expires }: KeptResult, limitS: number, now: Moment): boolean =>
  between(end, now) < limitS * 1_000 && between(expires, now) < 0

/** The rule's agent is part of the key, since an execution of another agent does not count for its rule. */
const keyOf = (hash: string, agentName: string | null): string => (agentName === null ? hash : `${hash} ${agentName}`)

// Two bytes for each character is the most that a string takes.
const sizeOf = ({ result: { text } }: Entry): number => entryBytes + text.length * 2

/** `maxBytes` below 1: no result is kept. */
export function makeResultMemory(maxBytes: number, clock: () => Moment): ResultMemory {
  // The cache takes whole numbers only.
  const maxSize = Math.floor(maxBytes)
  const openEntries = (most: number): LRUCache<string, Entry> | null =>
    maxSize === 0 ? null : new LRUCache({ maxSize: most, sizeCalculation: sizeOf })
  const results = openEntries(maxSize)
  const unusable = new LRUCache<string, true>({ max: maxMarks })
  // The newest results of look-ups whose result has changed: an equal one has to follow before they are served again.
  const changed = openEntries(Math.ceil(maxSize / 4))
  const invalidated = new LRUCache<string, Moment>({ max: maxMarks })

  function keep(into: typeof results, rule: Rule, hash: string, result: KeptResult, tool: string): void {
    const { decisionId, executedAfterMs, agentName } = rule
    into?.set(keyOf(hash, agentName), {
      tool,
      hash,
      prefix: inputPrefix(hash),
      decisionId,
      executedAfterMs,
      result,
    })
  }

  function isServedBy(book: RuleBook, { decisionId, hash, prefix, executedAfterMs }: Entry): boolean {
    const rule = book.get(decisionId)
    if (rule === null || rule.executedAfterMs !== executedAfterMs) return false
    return rule.type === 'suppress_dead' || servesInput(rule, hash, prefix)
  }

  /** Also of a rule that has gone for a while, a result that has changed is known when it comes back; not where it was invalidated. */
  const isInvalidatedBy = (book: RuleBook, { decisionId, executedAfterMs }: Entry): boolean =>
    (book.get(decisionId)?.executedAfterMs ?? executedAfterMs) !== executedAfterMs

  function removeWhere(entries: typeof results, isGone: (entry: Entry) => boolean): void {
    const gone: string[] = []
    entries?.forEach((entry, key) => {
      if (isGone(entry)) gone.push(key)
    })
    for (const key of gone) entries?.delete(key)
  }

  function lastInvalidated(tool: string, hash: string): Moment {
    const [ofTool, ofHash] = [invalidated.get(`tool ${tool}`) ?? longAgo, invalidated.get(hash) ?? longAgo]
    return ofTool.monotonicMs > ofHash.monotonicMs ? ofTool : ofHash
  }

  return {
    find(rule, hash, freshnessS) {
      const key = keyOf(hash, rule.agentName)
      if (unusable.has(key)) return 'unusable'
      const entry = results?.get(key)
      if (entry === undefined) return null
      if (entry.decisionId !== rule.decisionId || entry.executedAfterMs !== rule.executedAfterMs) return null
      return isFresh(entry.result, Math.min(rule.freshnessS, freshnessS), clock()) ? entry.result : null
    },
    keep: (rule, hash, result) => keep(results, rule, hash, result, rule.toolName),
    ended({ tool, agentName, hashes, rule, hash, result, start, isSame }) {
      const key = rule === null || hash === null ? null : keyOf(hash, rule.agentName)
      const before = key === null ? undefined : (results?.get(key) ?? changed?.get(key))?.result
      // Under a rule about unread results, the newest result of a scope stands for other inputs, and may be any.
      const isCompared = rule?.type === 'reuse_identity' && before !== undefined
      const isChanged = result !== null && isCompared && !isSame(before, result)
      if (key !== null) changed?.delete(key)
      if (rule !== null && hash !== null && isChanged) keep(changed, rule, hash, result, tool)
      const isValid =
        result !== null &&
        !isChanged &&
        hashes.every((known) => start.monotonicMs > lastInvalidated(tool, known).monotonicMs)
      for (const key of hashes.flatMap((known) => [keyOf(known, null), keyOf(known, agentName)])) {
        results?.delete(key)
        if (isValid) unusable.delete(key)
        else unusable.set(key, true)
      }
      if (isValid && rule !== null && hash !== null && start.unixMs > rule.executedAfterMs)
        keep(results, rule, hash, result, tool)
      return isChanged
    },
    obey(book) {
      removeWhere(results, (entry) => !isServedBy(book, entry))
      removeWhere(changed, (entry) => isInvalidatedBy(book, entry))
    },
    invalidate(tool, hashes, now) {
      for (const mark of hashes ?? [`tool ${tool}`]) invalidated.set(mark, now)
      const isNamed = (entry: Entry): boolean => (hashes === null ? entry.tool === tool : hashes.includes(entry.hash))
      removeWhere(results, isNamed)
      removeWhere(changed, isNamed)
    },
    lastInvalidated,
    bytes: () => (results?.calculatedSize ?? 0) + (changed?.calculatedSize ?? 0),
  }
}
