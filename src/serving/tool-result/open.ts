// Stored tool results for fronts: the rule from the snapshot in memory, the result from memory or the database.
import { Outage } from '../../base/fault.ts'
import { makeKeyedSemaphore } from '../../base/keyed-semaphore.ts'
import { makeSemaphore } from '../../base/semaphore.ts'
import { late, withTimeout } from '../../base/within.ts'
import type { Runner } from '../../store/database.ts'
import type { Rules } from '../rules.ts'
import type { ServedRules } from '../rules-representation.ts'
import { refusal, type ToolResultAnswer } from './answer.ts'
import { type FoundResult, findResult } from './find-result.ts'
import { type MatchRefusal, matchRule, type Question, type WantedResult } from './match.ts'
import { makeResultMemory } from './memory.ts'
import { openRuleBooks } from './rule-book.ts'

/** The outcome of a question, for a counter: the caller never learns the reason. `unknown`: the database did not answer in time. */
export type ResultOutcome = 'served' | 'no_result' | 'unknown' | MatchRefusal
type From = 'memory' | 'look'

export type ToolResultsDeps = {
  readonly db: Pick<Runner, 'row'>
  readonly rules: Pick<Rules, 'peek' | 'read'>
  /** Called for every question that was answered. */
  readonly onAnswer: (outcome: ResultOutcome, from: From) => void
  /** Called with errors of lookups whose caller has already been answered. */
  readonly onError: (error: unknown) => void
  /** Unix milliseconds. */
  readonly nowMs: () => number
  /** Monotonic. */
  readonly steadyMs: () => number
  readonly maxMemoryBytes?: number
  /** Maximum time that a caller waits for the database. */
  readonly maxLookupMs?: number
}

export type ToolResults = {
  /** Returns the answer if memory knows the rule and the result to be right now; null: ask `read`. Free. */
  readonly peek: (workspaceId: string, question: Question) => ToolResultAnswer | null
  /** Returns null if the workspace is gone, and the refusal if the database does not answer in time. Throws only on a bug. */
  readonly read: (workspaceId: string, question: Question) => Promise<ToolResultAnswer | null>
  /** Called when a commit stored executions of these subjects, or when the rules changed; null: of any subject. */
  readonly forget: (workspaceId: string, subjects: readonly number[] | null) => void
  /** Called when notices of commits may have been lost. */
  readonly forgetAll: () => void
  /** Approximate memory use of the answers. */
  readonly bytes: () => number
  /** Number of lookups that wait for their turn with the database. */
  readonly waiting: () => number
}

type Judged = { readonly answer: ToolResultAnswer; readonly outcome: ResultOutcome; readonly from: From }

// By then, an SDK runs the tool itself.
const defaultMaxLookupMs = 300
// Limited because keys and accounts need connections of the same pool.
const lookupLimits = { concurrent: 4, maxWaiting: 500 }
// The lookups of one workspace must not make those of others late.
const lookupsOfOne = 3
// While the database is unavailable, not every caller waits for its failure.
const pauseAfterOutageMs = 1_000

export function openToolResults(deps: ToolResultsDeps): ToolResults {
  const { maxMemoryBytes = 64 * 1024 * 1024, maxLookupMs: maxLookMs = defaultMaxLookupMs, steadyMs } = deps
  const bookOf = openRuleBooks()
  const room = makeSemaphore(lookupLimits.concurrent, lookupLimits.maxWaiting, maxLookMs)
  let outageAtMs = Number.NEGATIVE_INFINITY
  const shares = makeKeyedSemaphore(lookupsOfOne, lookupLimits.maxWaiting, maxLookMs)
  const memory = makeResultMemory({
    find: (wanted, nowMs) => shares.run(wanted.rule.workspaceId, () => room.run(() => find(wanted, nowMs))),
    maxBytes: maxMemoryBytes,
    nowMs: deps.nowMs,
    steadyMs,
  })

  async function find(wanted: WantedResult, nowMs: number): Promise<FoundResult> {
    try {
      return await findResult(deps.db, wanted, nowMs)
    } catch (error) {
      if (error instanceof Outage) outageAtMs = steadyMs()
      throw error
    }
  }

  /** Returns null if memory does not know the answer. */
  function judgeByMemory(workspaceId: string, rules: ServedRules, question: Question): Judged | null {
    const matched = matchRule(bookOf(workspaceId, rules), question)
    if (!matched.ok) return refused(matched.code, 'memory')
    const kept = memory.peek(matched.value)
    return kept === null ? null : judge(kept, 'memory')
  }

  async function judgeByLookup(workspaceId: string, question: Question): Promise<Judged | null> {
    const held = await deps.rules.read(workspaceId)
    if (held === null) return null
    const known = judgeByMemory(workspaceId, held.rules, question)
    if (known !== null) return known
    const matched = matchRule(bookOf(workspaceId, held.rules), question)
    if (!matched.ok || steadyMs() - outageAtMs < pauseAfterOutageMs) return refused('unknown', 'memory')
    return judge(await memory.read(matched.value), 'look')
  }

  function report(judged: Judged): ToolResultAnswer {
    deps.onAnswer(judged.outcome, judged.from)
    return judged.answer
  }

  return {
    peek(workspaceId, question) {
      const rules = deps.rules.peek(workspaceId)
      const judged = rules === null ? null : judgeByMemory(workspaceId, rules, question)
      return judged === null ? null : report(judged)
    },
    async read(workspaceId, question) {
      let isLate = false
      const pending = judgeByLookup(workspaceId, question).catch((error: unknown) => {
        if (!(error instanceof Outage)) {
          if (isLate) deps.onError(error)
          throw error
        }
        return refused('unknown', 'look')
      })
      const judged = await withTimeout(maxLookMs, pending)
      isLate = judged === late
      if (judged === late) return report(refused('unknown', 'look'))
      return judged === null ? null : report(judged)
    },
    forget: memory.forget,
    forgetAll: memory.forgetAll,
    bytes: memory.bytes,
    waiting: () => shares.waiting() + room.waiting(),
  }
}

const refused = (outcome: ResultOutcome, from: From): Judged => ({ answer: refusal, outcome, from })

const judge = (answer: ToolResultAnswer, from: From): Judged => ({
  answer,
  outcome: answer === refusal ? 'no_result' : 'served',
  from,
})
