// SDK. The results that rules serve, kept in memory so that a repeated call needs no request.
import { LRUCache } from 'lru-cache'
import { type Rule, type RuleBook, servesInput } from '../rule-book.ts'
import type { ResultText } from '../sealed-result.ts'
import { inputPrefix } from './input-prefix.ts'
import { makeInvalidationMarks } from './invalidation-marks.ts'
import { between, type Moment } from './moment.ts'

export type KeptResult = ResultText & {
  /** End of its execution. Its age counts from this time. */
  readonly end: Moment
  /** The result is not served from this time on, whatever its age. */
  readonly expires: Moment
}

/** A real execution of an attested tool that has ended. */
export type EndedRun = {
  readonly tool: string
  readonly agentName: string
  /** The hashes under which rules may serve its result: of its input, of its scope. */
  readonly hashes: readonly string[]
  /** The rule that covers the call now, and the hash under which this rule serves its result. */
  readonly rule: Rule | null
  readonly hash: string | null
  /** Null: the call failed, its result has no text, or results were invalidated while it ran. */
  readonly result: KeptResult | null
  readonly start: Moment
  /** Whether the result has the same content as `before`, which would have been served in its place. */
  readonly isSame: (before: ResultText, result: ResultText) => boolean
}

/**
 * The outcome of a look-up: a result; null if there is none; or `unusable` if the newest real execution in this process gave no result that
 * may be served, so that an older one must not be served either.
 */
export type Known = KeptResult | 'unusable' | null

export type ResultMemory = {
  /** Null also if the result was last confirmed a minute ago or earlier: by a real call of this process, or by `keep`. */
  readonly find: (rule: Rule, hash: string, freshnessS: number) => Known
  /**
   * Keeps a fetched result and returns it; if the memory has a newer one, which the service may not know yet, confirms and returns that.
   * Returns null if a newer execution in this process gave a result that is not kept, or none.
   */
  readonly keep: (rule: Rule, hash: string, result: KeptResult) => KeptResult | null
  /**
   * Records the newest execution. Its result replaces the kept one. A failure removes the kept one, as does, except under a rule of one
   * input or about unread results, an execution of more than 90 s: then no older result is kept either. A result whose content differs from
   * the one that would have been served also removes it: an equal result has to follow before results are served again. The service has the
   * same rule. Returns whether the content differed.
   */
  readonly ended: (run: EndedRun) => boolean
  /** Removes the results that the rules in force no longer serve. */
  readonly obey: (book: RuleBook) => void
  /** Removes the results with these hashes; null: all results of the tool. */
  readonly invalidate: (tool: string, hashes: readonly string[] | null, now: Moment) => void
  /** Returns the last invalidation, or a later time. Results of executions that started at this moment or earlier must not be served. */
  readonly lastInvalidated: (tool: string, hash: string) => Moment
  readonly bytes: () => number
}

type Entry = {
  readonly tool: string
  readonly hash: string
  /** The prefix of the hash. It is stored because computing it for many entries takes time, and rules change often. */
  readonly prefix: string
  readonly decisionId: string
  readonly executedAfterMs: number
  readonly confirmedAt: Moment
  readonly result: KeptResult
}

/**
 * A result is served from memory for this time, and then confirmed by a request. Other processes execute calls that this one does not know,
 * and the rules that it receives change only if the input is not served when the service measures the rule. The service compares what is
 * served with the newest result of all processes, so an older one would be wrong without being measured.
 */
const confirmedForMs = 60_000
/**
 * Under a rule that lists inputs, the result of a longer execution is not kept: the service, which knows when each input was invalidated,
 * has to be asked for it. It leaves an input that was invalidated elsewhere out of the list for two minutes only, so a longer execution may
 * have begun before the invalidation and ended when the rule lists the input again. A shorter one ended before, and its result is removed
 * when the input leaves the list. Other rules hold the last invalidation of all that they cover (`executedAfterMs`) for as long as the
 * service stores executions.
 */
export const maxKeptRunMs = 90_000
// Estimate for the entry, its keys and its slot in the cache.
const entryBytes = 1_024
const maxEnds = 10_000
/** Share of the memory for results that changed. */
const changedShare = 1 / 8

export const isFresh = ({ end, expires }: KeptResult, limitS: number, now: Moment): boolean =>
  between(end, now) < limitS * 1_000 && between(expires, now) < 0

/** The agent of the rule is part of the key, since an execution of another agent does not count for its rule. */
const keyOf = (hash: string, agentName: string | null): string => (agentName === null ? hash : `${hash} ${agentName}`)

// A string takes at most two bytes for each character.
const sizeOf = ({ result: { text } }: Entry): number => entryBytes + text.length * 2

/** Makes an empty memory. If `maxBytes` is below 1, it keeps no result. */
export function makeResultMemory(maxBytes: number, clock: () => Moment): ResultMemory {
  // The cache accepts whole numbers only.
  const [maxSize, maxChangedSize] = [Math.floor(maxBytes), Math.floor(maxBytes * changedShare)]
  const openEntries = (most: number): LRUCache<string, Entry> | null =>
    most === 0 ? null : new LRUCache({ maxSize: most, sizeCalculation: sizeOf })
  const results = openEntries(maxSize - maxChangedSize)
  /**
   * Unix milliseconds. Results that ended before are not served: a newer execution in this process gave one that is not kept. Infinity: it
   * gave none that may be served.
   */
  const servedFromMs = new LRUCache<string, number>({ max: maxEnds })
  // The newest results whose content differed from the one before. They are not served; an equal result has to follow first.
  const changed = openEntries(maxChangedSize)
  const invalidations = makeInvalidationMarks()

  function keep(into: typeof results, rule: Rule, hash: string, given: KeptResult, tool: string): void {
    const { decisionId, executedAfterMs, agentName } = rule
    // Only what `sizeOf` counts: the given object may hold more.
    const { form, text, end, expires } = given
    into?.set(keyOf(hash, agentName), {
      tool,
      hash,
      prefix: inputPrefix(hash),
      decisionId,
      executedAfterMs,
      confirmedAt: clock(),
      result: { form, text, end, expires },
    })
  }

  /** The entry of this rule. */
  function findEntry({ agentName, decisionId, executedAfterMs }: Rule, hash: string): Entry | null {
    const entry = results?.get(keyOf(hash, agentName))
    return entry?.decisionId === decisionId && entry.executedAfterMs === executedAfterMs ? entry : null
  }

  function isServedBy(book: RuleBook, { decisionId, hash, prefix, executedAfterMs }: Entry): boolean {
    const rule = book.get(decisionId)
    if (rule === null || rule.executedAfterMs !== executedAfterMs) return false
    return rule.type === 'suppress_dead' || servesInput(rule, hash, prefix)
  }

  /**
   * Whether the result was invalidated by its rule. A changed result stays known while its rule is not in force, so that it can be compared
   * when the rule is back.
   */
  const isInvalidatedBy = (book: RuleBook, { decisionId, executedAfterMs }: Entry): boolean =>
    (book.get(decisionId)?.executedAfterMs ?? executedAfterMs) !== executedAfterMs

  function removeWhere(entries: typeof results, isGone: (entry: Entry) => boolean): void {
    const gone: string[] = []
    entries?.forEach((entry, key) => {
      if (isGone(entry)) gone.push(key)
    })
    for (const key of gone) entries?.delete(key)
  }

  return {
    find(rule, hash, freshnessS) {
      if (servedFromMs.get(keyOf(hash, rule.agentName)) === Number.POSITIVE_INFINITY) return 'unusable'
      const entry = findEntry(rule, hash)
      // It stays, so that the next real call is compared with it.
      if (entry === null || between(entry.confirmedAt, clock()) >= confirmedForMs) return null
      return isFresh(entry.result, Math.min(rule.freshnessS, freshnessS), clock()) ? entry.result : null
    },
    keep(rule, hash, result) {
      const known = findEntry(rule, hash)?.result
      const newest = known !== undefined && known.end.unixMs > result.end.unixMs ? known : result
      if (newest.end.unixMs < (servedFromMs.get(keyOf(hash, rule.agentName)) ?? Number.NEGATIVE_INFINITY)) return null
      keep(results, rule, hash, newest, rule.toolName)
      return newest
    },
    ended({ tool, agentName, hashes, rule, hash, result, start, isSame }) {
      const key = rule === null || hash === null ? null : keyOf(hash, rule.agentName)
      const before = key === null ? undefined : (results?.get(key) ?? changed?.get(key))?.result
      // Under a rule about unread results, the newest result of a scope may come from another input, so a comparison would prove nothing.
      const isCompared = rule?.type === 'reuse_identity' && before !== undefined
      const isChanged = result !== null && isCompared && !isSame(before, result)
      if (key !== null) changed?.delete(key)
      if (rule !== null && hash !== null && isChanged) keep(changed, rule, hash, result, tool)
      const isValid =
        result !== null &&
        !isChanged &&
        hashes.every((known) => start.monotonicMs > invalidations.last(tool, known).monotonicMs)
      const isLong = between(start, clock()) > maxKeptRunMs
      for (const key of hashes.flatMap((known) => [keyOf(known, null), keyOf(known, agentName)])) {
        results?.delete(key)
        if (isValid && !isLong) servedFromMs.delete(key)
        else servedFromMs.set(key, isValid ? result.end.unixMs : Number.POSITIVE_INFINITY)
      }
      if (!isValid || rule === null || hash === null || start.unixMs <= rule.executedAfterMs) return isChanged
      if (!isLong || rule.inputs === null) keep(results, rule, hash, result, tool)
      return isChanged
    },
    obey(book) {
      removeWhere(results, (entry) => !isServedBy(book, entry))
      removeWhere(changed, (entry) => isInvalidatedBy(book, entry))
    },
    invalidate(tool, hashes, now) {
      for (const hash of hashes ?? [null]) invalidations.add(tool, hash, now)
      const isNamed = (entry: Entry): boolean => (hashes === null ? entry.tool === tool : hashes.includes(entry.hash))
      removeWhere(results, isNamed)
      removeWhere(changed, isNamed)
    },
    lastInvalidated: invalidations.last,
    bytes: () => (results?.calculatedSize ?? 0) + (changed?.calculatedSize ?? 0),
  }
}
