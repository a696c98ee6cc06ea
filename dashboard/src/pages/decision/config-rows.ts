// The settings of a decision, each with whether it has its default value.
import type { Schemas } from '../../api/client.ts'
import type { Decision } from '../../decisions/score.ts'
import { nameAge } from '../../decisions/wording.ts'
import { exact, formatFraction } from '../../format/index.ts'

export type ConfigRow = {
  readonly name: string
  readonly value: string
  readonly meaning: string
  readonly isDefault: boolean
}

type Known = {
  readonly key: string
  readonly name: string
  readonly meaning: string
  readonly usual: unknown
  readonly show?: (value: number) => string
  /** The only type of rule that has this setting. */
  readonly type?: string
}

const share = (value: number): string => formatFraction(value)

/** The defaults that a workspace sets for its rules. */
export type RuleDefaults = Pick<
  Schemas['WorkspaceSettings'],
  'default_freshness_s' | 'holdout_rate' | 'floor' | 'alpha'
>

const listKnown = (defaults: RuleDefaults | null): readonly Known[] => [
  { key: 'tool_name', name: 'Tool', meaning: 'The tool that the rule applies to', usual: undefined },
  { key: 'tool_version', name: 'Version', meaning: 'The version of the tool that the rule applies to', usual: null },
  { key: 'agent_id', name: 'Agent', meaning: 'The agent whose calls the rule applies to', usual: null },
  {
    key: 'input_hash',
    name: 'Input',
    meaning: 'The input that the rule applies to',
    usual: null,
    type: 'reuse_identity',
  },
  { key: 'task_type', name: 'Kind of task', meaning: 'The task in which the calls were seen', usual: null },
  {
    key: 'freshness_s',
    name: 'Age limit of served results',
    meaning: 'The maximum age of a served result',
    usual: defaults?.default_freshness_s,
    show: nameAge,
  },
  {
    key: 'holdout_rate',
    name: 'Holdout',
    meaning: 'The share of matched calls of an active rule that run for real',
    usual: defaults?.holdout_rate,
    show: share,
  },
  {
    key: 'floor',
    name: 'Floor',
    meaning: 'Share of right results that the rule must exceed',
    usual: defaults?.floor,
    show: share,
  },
  {
    key: 'alpha',
    name: 'Alpha (α)',
    meaning: 'The maximum probability that a rule at or below the floor is ever proven',
    usual: defaults?.alpha,
    show: share,
  },
  {
    key: 'min_samples',
    name: 'Least sessions',
    meaning: 'The minimum number of sessions for a proof',
    usual: 30,
    show: exact,
    type: 'suppress_dead',
  },
]

/**
 * `defaults`: null while they load. Settings that this page does not know follow with their keys and JSON values. The evidence of the
 * proposal is left out: the page shows it elsewhere.
 */
export function listConfig(decision: Pick<Decision, 'type' | 'config'>, defaults: RuleDefaults | null): ConfigRow[] {
  const known = listKnown(defaults)
  const rows = known
    .filter(({ type }) => type === undefined || type === decision.type)
    .map(({ key, name, meaning, usual, show }) => {
      const value = decision.config[key] ?? null
      return { name, meaning, value: showValue(value, show), isDefault: value === usual }
    })
  const hidden = new Set([...known.map(({ key }) => key), 'evidence'])
  const more = Object.entries(decision.config)
    .filter(([key]) => !hidden.has(key))
    .map(([key, value]) => ({
      name: key,
      meaning: 'Given with the proposal',
      value: JSON.stringify(value),
      isDefault: false,
    }))
  return [...rows, ...more]
}

function showValue(value: unknown, show: Known['show']): string {
  if (value === null) return 'any'
  if (typeof value === 'number') return show?.(value) ?? exact(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
