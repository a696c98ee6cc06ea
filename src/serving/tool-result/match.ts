// Checks whether a caller may get a result by the rule that it names. Pure.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import { hashForm } from '../../normalise/tracewright-attributes.ts'
import type { ResultRule, RuleBook } from './rule-book.ts'

/** Null fields were not given. */
export type Question = {
  readonly decisionId: string
  readonly inputHash: string | null
  readonly scopeHash: string | null
}

/** What a caller asks of a rule: the result of one input or, for `suppress_dead`, of one scope. */
export type WantedResult = {
  readonly rule: ResultRule
  readonly hash: string
  /** The key of the answer in memory. */
  readonly key: string
}

/** Counted, but never reported to the caller. */
export type MatchRefusal = 'unknown_rule' | 'wrong_input' | 'no_scope'

/** Refuses a value that is not a hash without a lookup: not every text can be a parameter of a query. */
export function matchRule(
  book: RuleBook,
  { decisionId, inputHash, scopeHash }: Question,
): Outcome<WantedResult, MatchRefusal> {
  const rule = book.get(decisionId)
  if (rule === undefined) return refuse('unknown_rule')
  if (rule.type === 'suppress_dead') {
    if (scopeHash === null || !hashForm.test(scopeHash)) return refuse('no_scope')
    return ok({ rule, hash: scopeHash, key: `${rule.key}${scopeHash}` })
  }
  if (inputHash === null || !hashForm.test(inputHash) || !rule.servesInput(inputHash)) return refuse('wrong_input')
  return ok({ rule, hash: inputHash, key: `${rule.key}${inputHash}` })
}
