// Judges a replay of plain results: up to which age stored results would have been right, and how certain that is. Pure.
import { wordAge } from '../../decisions/choose-step.ts'
import { roundTo, shareDecimals } from '../../decisions/gate/round.ts'
import type { GateStatus, RungStatus } from '../../decisions/gate/verdict.ts'
import { count, number } from '../wording.ts'
import type { PlainReplay } from './replay-plain.ts'

/** If the bound leaves more than this share of wrong results possible, it is no basis for a conclusion. */
const mostUnknown = 0.2

/**
 * `proven`: a rule would pass. `likely`: right so far, with a bound. `few`: right so far, in too few periods for a bound. `doubtful`:
 * wrong too often so far. `refuted`: proven to be wrong too often.
 */
export type Judgement = {
  readonly kind: 'proven' | 'likely' | 'few' | 'doubtful' | 'refuted'
  readonly rung: RungStatus
}

/** Judges the highest age that holds or, if none does, the lowest one. Returns null if nothing would have been served. */
export function judgeReplay({ standing: { rungs, freshnessS }, settings: { floor } }: PlainReplay): Judgement | null {
  const proven = rungs.find((rung) => rung.freshnessS === freshnessS)
  if (proven !== undefined) return { kind: 'proven', rung: proven }
  const tried = rungs.filter(({ trials }) => trials > 0)
  const [lowest] = tried
  if (lowest === undefined) return null
  const failing = tried.findIndex((rung) => rightShare(rung) < floor)
  if (failing === 0) return { kind: lowest.refuted ? 'refuted' : 'doubtful', rung: lowest }
  const holding = failing < 0 ? tried : tried.slice(0, failing)
  const likely = holding.findLast(({ wrongShareUpper }) => wrongShareUpper <= mostUnknown)
  if (likely !== undefined) return { kind: 'likely', rung: likely }
  // Nothing can be concluded about an age that is longer than the observed time.
  return { kind: 'few', rung: holding.findLast(({ blocks }) => blocks > 0) ?? holding[0]! }
}

/** Returns the sentences for the finding. */
export function wordReplay(replay: PlainReplay, judgement: Judgement | null): string {
  if (!replay.isComparable)
    return 'Its spans contain no plain results. Until the tool is attested, the service cannot determine whether stored results would have been right.'
  const whose = replay.isOneOfMany ? ' (of the agent and version that called it most)' : ''
  if (judgement === null)
    return `In a replay of ${count(replay.executions, 'call')}${whose} no stored result would have been served: no input returned equal results in a row within a short enough time.`
  const { kind, rung } = judgement
  const results = `Stored results up to ${wordAge(rung.freshnessS)} old would have been right in`
  const calls = `${wordRight(rung)}${whose}`
  const at = { results, calls, bound: wordBound(replay, rung) }
  return `${sentenceOf(kind, at, replay)}${wordSetback(replay.standing)}`
}

type Parts = { readonly results: string; readonly calls: string; readonly bound: string }

function sentenceOf(
  kind: Judgement['kind'],
  { results, calls, bound }: Parts,
  { settings: { floor } }: PlainReplay,
): string {
  const asked = `the ${share(floor)} that a rule needs`
  if (kind === 'proven') return `${results} ${calls} (${bound}): this proves ${asked}.`
  if (kind === 'likely') return `${results} ${calls} (${bound}): this does not prove ${asked} yet.`
  if (kind === 'few') return `${results} ${calls}; there were too few periods of that length for a conclusion.`
  if (kind === 'doubtful') return `${results} only ${calls}, less than ${asked}; more calls are needed to be certain.`
  return `${results} only ${calls}, less than ${asked}: no rule would serve them.`
}

const wordBound = ({ settings: { alpha } }: PlainReplay, { wrongShareUpper, blocks }: RungStatus): string =>
  `at least ${share(1 - wrongShareUpper)}, at ${share(1 - alpha)} confidence, from ${count(blocks, 'period')} of that length`

/** Formats the right calls: "40 of 40 calls"; from a hundred calls on, as a share. */
function wordRight({ trials, wrong }: RungStatus): string {
  if (trials < 100) return `${trials - wrong} of ${count(trials, 'call')}`
  return wrong === 0 ? `all ${number(trials)} calls` : `${share(1 - wrong / trials)} of ${number(trials)} calls`
}

/** Formats a share in percent, rounded down so that a promise never exceeds the measurement: "99.2 %", "95 %". */
const share = (value: number): string => `${Math.floor(roundTo(value, shareDecimals) * 1_000) / 10} %`

function wordSetback({ lastBreach }: GateStatus): string {
  if (lastBreach === null) return ''
  const at = new Date(lastBreach.atUs / 1_000).toISOString().slice(0, 16).replace('T', ' ')
  return ` Many results changed at ${at} UTC; the evidence for ages of ${wordAge(lastBreach.freshnessS)} or more restarted then.`
}

/** Returns the judgement for the evidence of the finding; null if there is none. */
export function describeReplay(
  replay: PlainReplay,
  judgement: Judgement | null,
): Readonly<Record<string, unknown>> | null {
  if (judgement === null) return null
  const { kind, rung } = judgement
  return {
    freshness_s: rung.freshnessS,
    trials: rung.trials,
    wrong: rung.wrong,
    right_share: roundTo(rightShare(rung), shareDecimals),
    wrong_share_upper: roundTo(rung.wrongShareUpper, shareDecimals),
    proven: kind === 'proven',
    refuted: kind === 'refuted',
    blocks: rung.blocks,
    executions: replay.executions,
    agent_id: replay.agentId,
    tool_version: replay.toolVersion,
    steps_down: replay.standing.stepsDown,
  }
}

const rightShare = ({ trials, wrong }: RungStatus): number => 1 - wrong / trials
