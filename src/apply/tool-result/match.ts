// Whether a caller may have a result by the rule that it names. Pure.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import { hashForm } from '../../normalise/own.ts'
import type { ResultRule, RuleBook } from './rule-book.ts'

/** Null: not given. */
export type Question = {
  readonly decisionId: string
  readonly inputHash: string | null
  readonly scopeHash: string | null
}

/** What of a rule is asked for: the result of one input, or of one scope where it is `suppress_dead`. */
export type Wanted = {
  readonly rule: ResultRule
  readonly hash: string
  /** What the answer is kept by. */
  readonly key: string
}

/** Told to a counter, never to the caller. */
export type MatchRefusal = 'unknown_rule' | 'wrong_input' | 'no_scope'

/** What is no hash is looked up nowhere: a database could not even be asked for every text. */
export function matchRule(
  book: RuleBook,
  { decisionId, inputHash, scopeHash }: Question,
): Outcome<Wanted, MatchRefusal> {
  const rule = book.get(decisionId)
  if (rule === undefined) return refuse('unknown_rule')
  if (rule.type === 'suppress_dead') {
    if (scopeHash === null || !hashForm.test(scopeHash)) return refuse('no_scope')
    return ok({ rule, hash: scopeHash, key: `${rule.key}${scopeHash}` })
  }
  if (inputHash === null || !hashForm.test(inputHash) || !rule.servesInput(inputHash)) return refuse('wrong_input')
  return ok({ rule, hash: inputHash, key: `${rule.key}${inputHash}` })
}
