// The states of a decision, the moves between them, and descriptions of what each move does.
import { formatEvidence, formatFraction } from '../format/index.ts'
import { type Decision, readConfig, readScore } from './score.ts'
import { nameAge } from './wording.ts'

export const states = ['proposed', 'shadow', 'active', 'disabled'] as const
export type State = (typeof states)[number]

/** What each state means for a rule. */
export const stateMeanings: Readonly<Record<State, string>> = {
  proposed: 'found in the traces',
  shadow: 'measured, nothing is served',
  active: 'stored results are served',
  disabled: 'calls run for real',
}

export const isState = (text: string): text is State => states.some((state) => state === text)

/** The moves that the service allows. A rule cannot become active without having been in shadow. */
const next: Readonly<Record<State, readonly State[]>> = {
  proposed: ['shadow', 'disabled'],
  shadow: ['active', 'disabled'],
  active: ['shadow', 'disabled'],
  disabled: ['shadow'],
}

export const listMoves = (state: string): readonly State[] => (isState(state) ? next[state] : [])

const names: Readonly<Record<State, Readonly<Partial<Record<State, string>>>>> = {
  proposed: { shadow: 'Measure in shadow', disabled: 'Disable' },
  shadow: { active: 'Activate', disabled: 'Disable' },
  active: { shadow: 'Send back to shadow', disabled: 'Disable' },
  disabled: { shadow: 'Measure again in shadow' },
}

export const nameMove = (from: string, to: State): string => (isState(from) ? names[from][to] : undefined) ?? to

/** Disabling a rule or moving an active one back to shadow needs a reason, which tells later readers why it was done. */
export const needsReason = (from: string, to: State): boolean =>
  to === 'disabled' || (from === 'active' && to === 'shadow')

/** Activating a rule that is not proven needs `force`: the person confirms that it is not proven. */
export const needsForce = (decision: Pick<Decision, 'state' | 'score'>, to: State): boolean =>
  decision.state === 'shadow' && to === 'active' && readScore(decision)?.isProven !== true

const endsServing = 'SDKs drop the rule within seconds, and all of its calls run for real again.'

/** Describes what the move does, for the dialog that confirms it. */
export function describeMove(decision: Pick<Decision, 'state' | 'type' | 'score' | 'config'>, to: State): string {
  const { state } = decision
  if (to === 'active') return describeActivation(decision)
  if (state === 'active') {
    return to === 'disabled'
      ? `${endsServing} It is not measured any more. It can go back to shadow later.`
      : `${endsServing} It continues to be measured, and stays in shadow until a person activates it.`
  }
  if (to === 'shadow')
    return 'Calls continue to run for real, and nothing is served. The service compares their results, and activates the rule automatically once it is proven.'
  return 'It is not measured any more, and nothing changes for the calls, which run for real. The tool is not proposed again for 30 days.'
}

function describeActivation(decision: Pick<Decision, 'state' | 'type' | 'score' | 'config'>): string {
  const score = readScore(decision)
  const { freshnessS, holdoutRate } = readConfig(decision)
  const isForced = needsForce(decision, 'active')
  const age = isForced ? freshnessS : (score?.freshnessS ?? freshnessS)
  const what =
    decision.type === 'suppress_dead'
      ? 'Calls of the tool then return what the program attested as a replacement for the unread result.'
      : `Calls with an input that is known are then answered with a stored result${age === null ? '' : `, up to ${nameAge(age)} old`}.`
  const watch =
    holdoutRate === null
      ? ''
      : ` ${formatFraction(holdoutRate)} of them still run for real, so that the service can check the results.`
  return `SDKs receive the rule within seconds. ${what}${watch}`
}

/** Describes why activating the rule needs `force`. */
export function describeLack(decision: Pick<Decision, 'score'>): string {
  const score = readScore(decision)
  if (score === null) return 'This rule has not been measured yet.'
  return `This rule is not proven: its evidence is ${formatEvidence(score.evidence)} of the required ${formatEvidence(score.evidenceNeeded)}.`
}
