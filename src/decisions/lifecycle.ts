// The lifecycle of a decision: its states, and which of them follows which.

export const states = ['proposed', 'shadow', 'active', 'disabled'] as const
export type State = (typeof states)[number]

const next: Readonly<Record<State, readonly State[]>> = {
  proposed: ['shadow', 'disabled'],
  // The one way to active: nothing is served that was not measured.
  shadow: ['active', 'disabled'],
  active: ['shadow', 'disabled'],
  disabled: ['shadow'],
}

/** Whether the lifecycle has this transition. None leads from a state to itself. */
export const isAllowed = (from: State, to: State): boolean => next[from].includes(to)
