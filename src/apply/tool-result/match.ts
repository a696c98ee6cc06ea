// Floor 3. Whether a caller may have a result by the rule that it names. Pure.
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { ResultRule, RuleBook } from './rule-book.ts'

/** `inputHash` null: not given. */
export type Question = { readonly decisionId: string; readonly inputHash: string | null }

/** Told to a counter, never to the caller. */
export type MatchRefusal = 'unknown_rule' | 'wrong_input'

/** A rule about one input serves that input alone; the others do not look at it. */
export function matchRule(book: RuleBook, { decisionId, inputHash }: Question): Outcome<ResultRule, MatchRefusal> {
  const rule = book.get(decisionId)
  if (rule === undefined) return refuse('unknown_rule')
  return rule.inputHash === null || rule.inputHash === inputHash ? ok(rule) : refuse('wrong_input')
}
