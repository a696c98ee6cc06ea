// SDK. Decides which of two answers with rules is newer, since a front may not yet know the latest change.

/** `"<mark>.<n>"`: n counts the writes; the mark distinguishes two writes with the same n, as after a failover that lost some writes. */
export type RulesVersion = { readonly text: string; readonly writes: number }

/** The version held, and when an answer first contained it, by the clock of this process. */
export type HeldVersion = { readonly version: RulesVersion | null; readonly sinceMs: number }

/** Returns null where there is no version, as in an answer of an earlier service. */
export function readRulesVersion(given: unknown): RulesVersion | null {
  if (typeof given !== 'string') return null
  const writes = /\.(\d{1,15})$/.exec(given)?.[1]
  return writes === undefined ? null : { text: given, writes: Number(writes) }
}

// How long a front may answer from memory without sending the age of its answer.
const unreportedAgeMs = 5_000

/** Returns the earliest time at which the content of an answer can have been current. */
export const earliestMs = (askedAtMs: number, ageMs: number): number => askedAtMs - ageMs - unreportedAgeMs

/**
 * Whether an answer replaces the rules held. An answer with fewer writes, or with as many and another mark, comes from a front that does
 * not yet know the latest change, or from a database that was restored to an earlier state. Only in the second case can the answer have
 * been current after the held version was known, so `earliestRightMs` decides.
 */
export function isNewer(given: RulesVersion | null, held: HeldVersion, earliestRightMs: number): boolean {
  if (given === null || held.version === null || given.text === held.version.text) return true
  return given.writes > held.version.writes || earliestRightMs > held.sinceMs
}
