// How fronts ask actors for rules. The release before knows the number of writes alone, which confirms nothing.
import { countWrites } from '../base/rules-version.ts'

/** The rules of a workspace, serialised: the actor passes them on unread. */
export type RulesText = { readonly version: string; readonly text: string }

/** An actor of the release before compares `ifVersion`; null makes it send the rules. */
export const encodeRulesQuestion = (ifVersion: string | null): object => ({ ifVersion: null, ifMarked: ifVersion })

/** The version that the front holds; undefined where the question is none. */
export function decodeRulesQuestion({ ifVersion, ifMarked }: Record<string, unknown>): string | null | undefined {
  if (typeof ifMarked === 'string') return ifMarked
  return ifVersion === null || Number.isSafeInteger(ifVersion) ? null : undefined
}

/** A front of the release before reads `version`. */
export const encodeRulesAnswer = (rules: RulesText | 'same'): object =>
  rules === 'same' ? { same: true } : { version: countWrites(rules.version), marked: rules.version, text: rules.text }

/** Null where it makes no sense. */
export function decodeRulesAnswer(body: unknown): RulesText | 'same' | null {
  const { same, version, marked = String(version), text } = (body ?? {}) as Record<string, unknown>
  if (same === true) return 'same'
  const isCount = Number.isSafeInteger(version) && (version as number) >= 0
  return isCount && typeof marked === 'string' && typeof text === 'string' ? { version: marked, text } : null
}
