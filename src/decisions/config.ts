// The `config` of a decision: its subject and the parameters by which it is judged. It is complete whether the gate or a user proposed it.
import { z } from 'zod'
import { maxHashChars } from '../normalise/tracewright-attributes.ts'
import { exactText, isStorable, matching, unicodeFault, uuid } from '../web/shapes.ts'
import { type RuleDefaults, ruleFields } from '../workspaces/rule-defaults.ts'

export const decisionTypes = ['reuse_identity', 'suppress_dead'] as const
export type DecisionType = (typeof decisionTypes)[number]

/** Maximum number of decisions of a workspace that are not disabled. A config longer than 1.5 KiB counts once for each 1.5 KiB. */
export const maxLivingDecisions = 1_000

/** Assumed duration of fetching a stored result, where none was served or the SDK did not report it, in milliseconds. */
export const assumedFetchMs = 25

/** The JSON in `decisions.config`. Other members of a proposal are kept beside these. */
export type DecisionConfig = {
  readonly tool_name: string
  /** Compared strictly with the version that the tool declares. Null: the tool declares none. */
  readonly tool_version: string | null
  /** Null: every input. */
  readonly input_hash: string | null
  /** Null: every agent of the workspace. */
  readonly agent_id: string | null
  readonly task_type: string | null
  /** Maximum age of a served result, in seconds from the end of its execution. A rule serves up to the age that is proven. */
  readonly freshness_s: number
  /** Share of matched calls that run for real while the rule is active. */
  readonly holdout_rate: number
  /** Share of right results that the rule must exceed. */
  readonly floor: number
  /** Maximum probability that a rule at or below the floor ever passes. */
  readonly alpha: number
  /** Minimum number of sessions for the proof of a suppress_dead rule. */
  readonly min_samples: number
  readonly evidence: Readonly<Record<string, unknown>>
  readonly [more: string]: unknown
}

type Scope = {
  readonly tool_name: string
  readonly tool_version?: string | null | undefined
  readonly input_hash?: string | null | undefined
  readonly agent_id?: string | null | undefined
}
export type GivenConfig = Scope & { readonly [name: string]: unknown }

// Equal to the longest values that ingest stores.
const maxNameCharacters = 256
const maxVersionCharacters = 128
const maxConfigCharacters = 16_384
const maxConfigDepth = 16

const name = exactText(1, maxNameCharacters)

/** Returns which limit the value exceeds. Counts at most as many values as a config of the maximum length can have, each with a comma. */
function findExcess(value: unknown, depthLeft: number, budget: { values: number }): 'depth' | 'size' | null {
  budget.values -= 1
  if (budget.values < 0) return 'size'
  if (typeof value !== 'object' || value === null) return null
  if (depthLeft === 0) return 'depth'
  for (const member of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
    const excess = findExcess(member, depthLeft - 1, budget)
    if (excess !== null) return excess
  }
  return null
}

/** Returns true if PostgreSQL can store every string and key of the value. */
function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, member]) => isStorable(key) && isStorableJson(member))
}

/** Runs before the schema, which copies every member: for a body of 1 MiB, that holds the event loop for a third of a second. */
function checkLimits(config: unknown, ctx: z.RefinementCtx): unknown {
  const excess = findExcess(config, maxConfigDepth, { values: maxConfigCharacters / 2 })
  if (excess === 'depth')
    ctx.addIssue({ code: 'custom', message: `Input is nested more than ${maxConfigDepth} levels deep` })
  else if (excess === 'size' || JSON.stringify(config).length > maxConfigCharacters) {
    const message = `The config should have at most ${maxConfigCharacters} characters`
    ctx.addIssue({
      code: 'custom',
      message,
      params: { type: 'string_too_long', ctx: { max_length: maxConfigCharacters } },
    })
  } else if (!isStorableJson(config)) ctx.addIssue(unicodeFault())
  return config
}

const configIn = z.preprocess(
  checkLimits,
  z.looseObject({
    task_type: name.nullish(),
    freshness_s: ruleFields.freshness_s.nullish(),
    holdout_rate: ruleFields.holdout_rate.nullish(),
    floor: ruleFields.floor.nullish(),
    alpha: ruleFields.alpha.nullish(),
    min_samples: z.int().min(1).max(10_000).nullish(),
    evidence: z.record(z.string(), z.unknown()).nullish(),
  }),
)

const inputHash = matching(/^[A-Za-z0-9:_-]+$/, 'sha256:0123456789abcdef', z.string().max(maxHashChars))

/** The body of a proposal by hand. */
export const proposalIn = z.object({
  type: z.enum(decisionTypes),
  tool_name: name.meta({ examples: ['search'] }),
  input_hash: inputHash.nullish().meta({
    description: 'Limits a reuse_identity rule to one input; ignored for suppress_dead, which applies to every input',
  }),
  tool_version: exactText(1, maxVersionCharacters)
    .nullish()
    .meta({ description: 'The version that the tool declares; null for a tool that declares none' }),
  agent_id: uuid
    .nullish()
    .meta({ description: 'Limits the rule to one agent; null states that the tool is the same for every agent' }),
  config: configIn.nullish(),
})

/** Fills in the defaults, which come from the workspace for all fields that it sets. Keeps members that the API does not define. Pure. */
export function completeConfig(given: GivenConfig, defaults: RuleDefaults): DecisionConfig {
  return {
    ...given,
    tool_name: given.tool_name,
    tool_version: given.tool_version ?? null,
    input_hash: given.input_hash ?? null,
    agent_id: given.agent_id ?? null,
    task_type: typeof given['task_type'] === 'string' ? given['task_type'] : null,
    freshness_s: numberOr(given['freshness_s'], defaults.freshness_s),
    holdout_rate: numberOr(given['holdout_rate'], defaults.holdout_rate),
    floor: numberOr(given['floor'], defaults.floor),
    alpha: numberOr(given['alpha'], defaults.alpha),
    min_samples: numberOr(given['min_samples'], 30),
    evidence: isRecord(given['evidence']) ? given['evidence'] : {},
  }
}

const numberOr = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
