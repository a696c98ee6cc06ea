// The lifecycle of a decision: its states and the allowed transitions.

export const states = ['proposed', 'shadow', 'active', 'disabled'] as const
export type State = (typeof states)[number]

const next: Readonly<Record<State, readonly State[]>> = {
  proposed: ['shadow', 'disabled'],
  // Only shadow leads to active, so nothing is served that was not measured.
  shadow: ['active', 'disabled'],
  active: ['shadow', 'disabled'],
  disabled: ['shadow'],
}

/** All transitions in words, for a refusal: "proposed to shadow or disabled, …". */
export const allowedMoves: string = states.map((from) => `${from} to ${next[from].join(' or ')}`).join(', ')

/** Returns true if the lifecycle has this transition. No transition leads from a state to itself. */
export const isAllowed = (from: State, to: State): boolean => next[from].includes(to)
