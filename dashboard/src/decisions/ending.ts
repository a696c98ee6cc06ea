// The reasons for which a decision was disabled.
import type { Transition } from './score.ts'

export const endings = ['breach', 'timeout', 'person', 'worth'] as const
export type Ending = (typeof endings)[number]

export const endingNames: Readonly<Record<Ending, string>> = {
  breach: 'Wrong too often',
  timeout: 'No verdict in 14 days',
  person: 'Disabled by a person',
  worth: 'Not worth it, or replaced',
}

type Move = Pick<Transition, 'from_state' | 'to_state' | 'actor' | 'reason' | 'at'>

/** Returns the last move into `state` from another one; null if the trail does not contain it. `trail`: newest first. */
export const findArrival = <T extends Move>(trail: readonly T[], state: string): T | null =>
  trail.find(({ from_state: from, to_state: to }) => to === state && from !== to) ?? null

/** Classifies by the first word of the reason that the gate wrote. Null if the trail has no move to disabled, or is not loaded. */
export function classifyEnding(trail: readonly Move[]): Ending | null {
  const end = findArrival(trail, 'disabled')
  if (end === null) return null
  if (end.actor === 'user') return 'person'
  if (end.reason?.startsWith('inconclusive') === true) return 'timeout'
  return end.reason?.startsWith('failed') === true ? 'breach' : 'worth'
}
