// Messages by which fronts ask actors for rules. The previous release identifies rules only by the number of writes, which is no proof of
// identity.
import { countWrites } from '../base/rules-version.ts'
import { isCount } from './envelope.ts'

/** The rules of a workspace in serialised form. The actor does not parse them. */
export type RulesText = { readonly version: string; readonly text: string }

/** An actor of the previous release compares `ifVersion`; null makes it send the rules. */
export const encodeRulesQuestion = (ifVersion: string | null): object => ({ ifVersion: null, ifMarked: ifVersion })

/** Returns the version that the front holds, or null if it holds none that can be compared; undefined if the body is malformed. */
export function decodeRulesQuestion({ ifVersion, ifMarked }: Record<string, unknown>): string | null | undefined {
  if (typeof ifMarked === 'string') return ifMarked
  return ifVersion === null || Number.isSafeInteger(ifVersion) ? null : undefined
}

/** A front of the previous release reads `version`. */
export const encodeRulesAnswer = (rules: RulesText | 'same'): object =>
  rules === 'same' ? { same: true } : { version: countWrites(rules.version), marked: rules.version, text: rules.text }

/** Returns null if the body is malformed. */
export function decodeRulesAnswer(body: unknown): RulesText | 'same' | null {
  const { same, version, marked = String(version), text } = (body ?? {}) as Record<string, unknown>
  if (same === true) return 'same'
  return isCount(version) && typeof marked === 'string' && typeof text === 'string' ? { version: marked, text } : null
}
