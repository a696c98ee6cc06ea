// Readers of the score and the configuration of a decision. The API leaves their form open: a field that is missing or of another type
// counts as unknown.
import type { Schemas } from '../api/client.ts'

export type Decision = Schemas['Decision']
export type Transition = Schemas['DecisionTransition']

type Form = Readonly<Record<string, unknown>>

export type Rung = {
  readonly freshnessS: number
  readonly evidence: number
  readonly blocks: number
  readonly trials: number
  readonly wrong: number
  readonly isProven: boolean
  readonly lack: Lack
}

/** What a proof still needs: a number of blocks without a wrong trial, and the time that these take at the rate so far (null: unknown). */
export type Lack = { readonly freshnessS: number | null; readonly blocks: number; readonly timeS: number | null }

/** The mean per session of served sessions minus that of held-out sessions. Null: fewer than five sessions on one side. */
export type Outcome = {
  readonly measure: string
  readonly difference: number | null
  readonly lower: number | null
  readonly upper: number | null
  readonly servedSessions: number
  readonly heldOutSessions: number
}

export type Score = {
  readonly verdict: string
  readonly isProven: boolean
  readonly isForced: boolean
  readonly floor: number
  readonly alpha: number
  readonly evidence: number
  readonly evidenceNeeded: number
  readonly blocks: number
  readonly blockS: number
  /** The age limit that is served, otherwise the one that is nearest to its proof. Null: the rule has no age limit. */
  readonly freshnessS: number | null
  readonly trials: number
  readonly wrong: number
  /** The highest share of wrong results that the evidence leaves possible. */
  readonly wrongShareUpper: number
  readonly watch: { readonly trials: number; readonly wrong: number }
  /** The watch has ended an age limit, and the evidence was restarted. */
  readonly isBreached: boolean
  /** What the next proof needs, which is the next one in the order of age limits. Null: nothing is left to prove. */
  readonly lack: Lack | null
  readonly rungs: readonly Rung[]
  /** The number of proven inputs. Null: the rule does not distinguish inputs. */
  readonly inputs: number | null
  readonly monthlyUsd: number | null
  readonly observedDays: number | null
  readonly outcomes: readonly Outcome[]
}

const asForm = (value: unknown): Form | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Form) : null
const asNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null)
const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Returns null if nothing was measured in the present phase. */
export function readScore({ score: form }: Pick<Decision, 'score'>): Score | null {
  const evidence = asNumber(form?.['evidence'])
  if (form === null || evidence === null) return null
  const alpha = asNumber(form['alpha']) ?? 0
  const freshnessS = asNumber(form['freshness_s'])
  const watch = asForm(form['watch'])
  return {
    verdict: asText(form['verdict']) ?? '',
    isProven: form['proven'] === true,
    isForced: form['forced'] === true,
    floor: asNumber(form['floor']) ?? 0,
    alpha,
    evidence,
    evidenceNeeded: asNumber(form['evidence_needed']) ?? 1 / alpha,
    blocks: asNumber(form['blocks']) ?? 0,
    blockS: asNumber(form['block_s']) ?? freshnessS ?? 0,
    freshnessS,
    trials: asNumber(form['trials']) ?? 0,
    wrong: asNumber(form['wrong']) ?? 0,
    wrongShareUpper: asNumber(form['wrong_share_upper']) ?? 1,
    watch: { trials: asNumber(watch?.['trials']) ?? 0, wrong: asNumber(watch?.['wrong']) ?? 0 },
    isBreached: asForm(form['last_breach']) !== null,
    lack: readLack(form),
    rungs: asList(form['rungs']).flatMap(readRung),
    inputs: asNumber(form['inputs']),
    monthlyUsd: asNumber(form['expected_monthly_savings_usd']),
    observedDays: asNumber(asForm(form['observed'])?.['days']),
    outcomes: Object.entries(asForm(form['outcomes']) ?? {}).flatMap(readOutcome),
  }
}

/** Reads what the next age limit needs, or what a rule without age limits needs. */
function readLack(score: Form): Lack | null {
  const next = asForm(score['next'])
  if (next !== null)
    return {
      freshnessS: asNumber(next['freshness_s']),
      blocks: asNumber(next['needs_blocks']) ?? 0,
      timeS: asNumber(next['needs_s']),
    }
  const needs = asForm(score['needs'])
  return needs === null
    ? null
    : { freshnessS: null, blocks: asNumber(needs['blocks']) ?? 0, timeS: asNumber(needs['s']) }
}

function readRung(value: unknown): Rung[] {
  const rung = asForm(value)
  const freshnessS = asNumber(rung?.['freshness_s'])
  if (rung === null || freshnessS === null) return []
  return [
    {
      freshnessS,
      evidence: asNumber(rung['evidence']) ?? 0,
      blocks: asNumber(rung['blocks']) ?? 0,
      trials: asNumber(rung['trials']) ?? 0,
      wrong: asNumber(rung['wrong']) ?? 0,
      isProven: rung['rung_proven'] === true,
      lack: { freshnessS, blocks: asNumber(rung['needs_blocks']) ?? 0, timeS: asNumber(rung['needs_s']) },
    },
  ]
}

function readOutcome([measure, value]: readonly [string, unknown]): Outcome[] {
  const outcome = asForm(value)
  if (outcome === null) return []
  const [served, heldOut] = asList(outcome['sessions'])
  return [
    {
      measure,
      difference: asNumber(outcome['difference']),
      lower: asNumber(outcome['lower']),
      upper: asNumber(outcome['upper']),
      servedSessions: asNumber(served) ?? 0,
      heldOutSessions: asNumber(heldOut) ?? 0,
    },
  ]
}

/** Returns the progress towards a proof, from 0 to 1. Evidence multiplies, so progress is measured by its logarithm. */
export const shareOfProof = (evidence: number, needed: number): number =>
  evidence <= 1 || needed <= 1 ? 0 : Math.min(1, Math.log(evidence) / Math.log(needed))

export type Config = {
  readonly toolName: string
  readonly toolVersion: string | null
  readonly inputHash: string | null
  readonly agentId: string | null
  readonly freshnessS: number | null
  readonly holdoutRate: number | null
  readonly minSamples: number | null
  readonly floor: number
}

/** Reads what the rule applies to and how it is judged. */
export function readConfig({ config }: Pick<Decision, 'config'>): Config {
  return {
    toolName: asText(config['tool_name']) ?? 'unknown tool',
    toolVersion: asText(config['tool_version']),
    inputHash: asText(config['input_hash']),
    agentId: asText(config['agent_id']),
    freshnessS: asNumber(config['freshness_s']),
    holdoutRate: asNumber(config['holdout_rate']),
    minSamples: asNumber(config['min_samples']),
    floor: asNumber(config['floor']) ?? 0.95,
  }
}

/** What the calls of the tool show, and what the rule is expected to save by them. */
export type Proposal = {
  /** Counted again while the rule is measured. False: counted when the rule was proposed, and not since. */
  readonly isCurrent: boolean
  readonly executions: number | null
  readonly inputs: number | null
  readonly reusable: number | null
  /** Results that were part of a prompt, and how many of them a model used. */
  readonly consumed: number | null
  readonly read: number | null
  readonly medianMs: number | null
  readonly meanUsd: number | null
  readonly observed: { readonly from: string; readonly to: string; readonly days: number } | null
  readonly seenUsd: number | null
  readonly monthlyUsd: number | null
  readonly monthlyCalls: number | null
  readonly monthlySavedMs: number | null
  readonly traceIds: readonly string[]
}

/** Reads what was counted last: in shadow, otherwise when the rule was proposed. Null: a person proposed it without evidence. */
export function readProposal({ config, score }: Pick<Decision, 'config' | 'score'>): Proposal | null {
  const current = asForm(score?.['worth'])
  const evidence = current ?? asForm(config['evidence'])
  if (evidence === null || Object.keys(evidence).length === 0) return null
  const observed = asForm(evidence['observed'])
  const [from, to, days] = [asText(observed?.['from']), asText(observed?.['to']), asNumber(observed?.['days'])]
  const monthly = asForm(evidence['expected_monthly_savings'])
  return {
    isCurrent: current !== null,
    executions: asNumber(evidence['executions']),
    inputs: asNumber(evidence['inputs']),
    reusable: asNumber(evidence['reusable']),
    consumed: asNumber(evidence['consumed']),
    read: asNumber(evidence['read']),
    medianMs: asNumber(evidence['median_duration_ms']),
    meanUsd: asNumber(evidence['mean_cost_usd']),
    observed: from === null || to === null || days === null ? null : { from, to, days },
    seenUsd: asNumber(asForm(evidence['seen_savings'])?.['usd']),
    monthlyUsd: asNumber(monthly?.['usd']),
    monthlyCalls: asNumber(monthly?.['calls']),
    monthlySavedMs: asNumber(monthly?.['latency_saved_ms']),
    traceIds: asList(evidence['trace_ids']).filter((id) => typeof id === 'string'),
  }
}
