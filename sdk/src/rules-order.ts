// SDK. Which of two answers about the rules is the newer one, where fronts differ in what they have heard.

/** `"<mark>.<n>"`: n counts the writes, and the mark tells two writes with one number apart, as after a failover that lost some. */
export type RulesVersion = { readonly text: string; readonly writes: number }

/** Rules, and since when they are known to be in force, by the clock of this process. */
export type HeldVersion = { readonly version: RulesVersion | null; readonly sinceMs: number }

/** Null where there is none, as from a service of an earlier release. */
export function readRulesVersion(given: unknown): RulesVersion | null {
  if (typeof given !== 'string') return null
  const writes = /\.(\d{1,15})$/.exec(given)?.[1]
  return writes === undefined ? null : { text: given, writes: Number(writes) }
}

// For so long a front answers from memory without saying how old its answer is.
const untoldMs = 5_000

/** The earliest time at which an answer can have been right. */
export const earliestMs = (askedAtMs: number, ageMs: number): number => askedAtMs - ageMs - untoldMs

/**
 * Whether an answer replaces what is held. One with fewer writes, or as many others, comes from a front that has not heard the news, or from
 * a database that was put back: only the second still says so once nobody can be that late any more.
 */
export function isNewer(given: RulesVersion | null, held: HeldVersion, earliestRightMs: number): boolean {
  if (given === null || held.version === null || given.text === held.version.text) return true
  return given.writes > held.version.writes || earliestRightMs > held.sinceMs
}
