// Descriptions of what a decision applies to and of its verdict.
import { countOf, exact, formatDuration, shortId } from '../format/index.ts'
import { findArrival } from './ending.ts'
import { type Decision, type Lack, type Proposal, readConfig, readScore, type Score, type Transition } from './score.ts'

const unitsS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/** Formats an age limit: `10 min`, `1 h`, `24 h`. */
export function nameAge(seconds: number): string {
  if (seconds === 86_400) return '24 h'
  const [unit, size] = unitsS.find(([, unitS]) => seconds >= unitS && seconds % unitS === 0) ?? ['s', 1]
  return `${seconds / size} ${unit}`
}

export type ClaimParts = {
  readonly tool: string
  /** The text before and after the name of the tool. */
  readonly before: string
  readonly after: string
}

/** Returns the claim as a sentence around the name of the tool. `agent`: the name of the agent; null: the rule applies to every agent. */
export function describeClaim(decision: Pick<Decision, 'type' | 'config'>, agent: string | null): ClaimParts {
  const { toolName: tool, inputHash, toolVersion, freshnessS } = readConfig(decision)
  const version = toolVersion === null ? '' : ` in version ${toolVersion}`
  const caller = agent === null ? ', whichever agent calls it,' : `, called by ${agent},`
  if (decision.type === 'suppress_dead')
    return {
      tool,
      before: 'No model uses the result of ',
      after: `${version}${agent === null ? ', whichever agent calls it' : `, called by ${agent}`}.`,
    }
  if (decision.type !== 'reuse_identity')
    return { tool, before: `${decision.type.replaceAll('_', ' ')}: `, after: version }
  const input = inputHash === null ? 'the same input' : `the input ${shortId(inputHash.replace(/^sha256:/, ''))}`
  const time = freshnessS === null ? '' : ` within ${nameAge(freshnessS)}`
  return { tool, before: '', after: `${version}${caller} returns the same result for ${input}${time}.` }
}

/** Returns the scope of the rule in short: `quote-writer · all inputs · version 2`. */
export function describeScope(decision: Pick<Decision, 'type' | 'config'>, agent: string | null): string {
  const { inputHash, toolVersion } = readConfig(decision)
  const input = inputHash === null ? 'all inputs' : `input ${shortId(inputHash.replace(/^sha256:/, ''))}`
  return [
    agent ?? 'all agents',
    ...(decision.type === 'reuse_identity' ? [input] : []),
    ...(toolVersion === null ? [] : [`version ${toolVersion}`]),
  ].join(' · ')
}

export const claimNames: Readonly<Record<string, string>> = {
  reuse_identity: 'Reuse of results',
  suppress_dead: 'Unread results',
}

/** `type` may come from the URL, so it can be the name of a property that every object has. */
export const nameClaim = (type: string): string =>
  (Object.hasOwn(claimNames, type) ? claimNames[type] : undefined) ?? type.replaceAll('_', ' ')

export type Verdict = {
  readonly word: string
  readonly tone: 'good' | 'danger' | 'warning' | 'plain'
}

/** Returns the verdict in one to three words. An active rule without a proof is always called `not proven`. */
export function judge(decision: Pick<Decision, 'state' | 'score'>): Verdict {
  const score = readScore(decision)
  if (decision.state === 'active' && score?.isProven !== true) return { word: 'not proven', tone: 'warning' }
  if (score === null) return { word: decision.state === 'shadow' ? 'not evaluated yet' : 'not measured', tone: 'plain' }
  if (decision.state === 'disabled' && score.isBreached && !score.isProven)
    return { word: 'became wrong', tone: 'danger' }
  if (score.isProven) return { word: 'proven', tone: 'good' }
  if (score.verdict === 'fail') return { word: 'refuted', tone: 'danger' }
  return { word: decision.state === 'disabled' ? 'not proven' : 'not proven yet', tone: 'plain' }
}

/** Returns the noun for what the evidence counts, singular or plural. */
export const nameTrials = (type: string, count: number): string =>
  type === 'suppress_dead' ? (count === 1 ? 'session' : 'sessions') : count === 1 ? 'trial' : 'trials'

/** Returns the age limit in seconds that is served now. Null: nothing is served, or the rule has no age limit. */
export const servedAge = (
  decision: Pick<Decision, 'state' | 'score' | 'config'>,
  score: Score | null,
): number | null => {
  if (decision.state !== 'active' || score === null) return null
  return score.isProven ? score.freshnessS : readConfig(decision).freshnessS
}

/** `results up to 1 h old`: what the figures of the score are about. Empty if the rule has no age limit. */
export const nameResults = ({ freshnessS }: Pick<Score, 'freshnessS'>): string =>
  freshnessS === null ? '' : `results up to ${nameAge(freshnessS)} old`

/** Returns true if a person moved the decision from active to shadow: the gate does not activate it then. `trail`: newest first. */
export function isHeldByPerson({ state }: Pick<Decision, 'state'>, trail: readonly Transition[]): boolean {
  const arrival = state === 'shadow' ? findArrival(trail, 'shadow') : null
  return arrival?.actor === 'user' && arrival.from_state === 'active'
}

/** Says what a proof takes, in periods and in time. */
function describeLacking({ blocks, timeS }: Lack): string {
  const time =
    timeS === null
      ? '. There are not yet enough repeated calls within this age limit to estimate the time'
      : `, about ${formatDuration(timeS * 1_000)} at the rate so far`
  return `${countOf(blocks, 'more period')} without a wrong one${time}`
}

/** Says what has to happen until the rule is activated, or until it serves older results; nothing if no proof is left. */
export function describeNextProof(score: Score): readonly string[] {
  const { lack: next, isProven, freshnessS, rungs } = score
  if (next === null || next.blocks === 0) return []
  const start = isProven ? 'Next' : 'Missing'
  const nearest = isProven ? null : (rungs.find((rung) => rung.freshnessS === freshnessS)?.lack ?? null)
  if (nearest === null || nearest.freshnessS === next.freshnessS)
    return [`${start}: ${nameProof(next)} takes ${describeLacking(next)}.`]
  return [
    `Nothing is served before ${nameProof(next)}, the lowest age limit with trials. It takes ${describeLacking(next)}.`,
    `Nearest: ${nameProof(nearest)} takes ${describeLacking(nearest)}. It counts once all lower ones are proven.`,
  ]
}

const nameProof = ({ freshnessS }: Lack): string =>
  freshnessS === null ? 'the proof' : `the proof for ${nameResults({ freshnessS })}`

/** `6.02 days of calls, as last counted`, or `5.99 days before the proposal`: the calls by which a saving is expected. */
export function describeBasis({ observed, isCurrent }: Proposal): string {
  const days = observed === null ? 'the days' : `${exact(observed.days)} ${observed.days === 1 ? 'day' : 'days'}`
  return isCurrent ? `${days} of calls, as last counted` : `${days} before the proposal`
}
