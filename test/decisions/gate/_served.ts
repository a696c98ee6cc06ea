// What a ladder would serve at a time, for tests.
import type { Ladder } from '../../../src/decisions/gate/ladder.ts'
import { readState } from '../../../src/decisions/gate/ladder-bytes.ts'
import type { LadderSettings } from '../../../src/decisions/gate/verdict.ts'

/**
 * Returns the full hashes of the inputs that the served rung serves at `nowUs`, most recently executed first. `settings` are those of the
 * ladder.
 */
export function listServed(ladder: Ladder, settings: LadderSettings, nowUs: number): string[] {
  const state = readState(settings, ladder.write())
  const { served } = state
  if (served === null) return []
  const isServed = (slot: number): boolean =>
    served.policy.decide(slot, nowUs, state.invalidatedAt(slot, nowUs)).kind === 'trial'
  return [...state.inputs.entries()].reverse().flatMap(([hash, slot]) => (isServed(slot) ? [hash] : []))
}
