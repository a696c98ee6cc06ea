// SDK. The rules in force, indexed by tool and input and by tool alone.
import { type RulesVersion, readRulesVersion } from './rules-order.ts'
import { inputPrefix } from './serving/input-prefix.ts'

export type RuleType = 'reuse_identity' | 'suppress_dead'

export type Rule = {
  readonly decisionId: string
  readonly type: RuleType
  readonly toolName: string
  /** Null: the tool declares no version. Undefined: an earlier service does not send it; the input hash of the rule covers it. */
  readonly toolVersion: string | null | undefined
  /** The input of a reuse_identity rule of one input; otherwise null. */
  readonly inputHash: string | null
  /** Prefixes of the inputs that a reuse_identity rule of many inputs serves; otherwise null. */
  readonly inputs: ReadonlySet<string> | null
  /** Null: every agent of the workspace. */
  readonly agentName: string | null
  readonly freshnessS: number
  readonly holdoutRate: number
  /** Unix milliseconds. Results of executions that started at this time or earlier are not served. */
  readonly executedAfterMs: number
}

/** The properties of a call that rules are matched by. */
export type Subject = {
  readonly tool: string
  readonly version: string | null
  readonly inputHash: string
  readonly agentName: string
  readonly attestsSameInput: boolean
  readonly attestsUnread: boolean
}

export type RuleBook = {
  /** Null: there are no rules, or the service sends no version. */
  readonly version: RulesVersion | null
  readonly size: number
  /** Returns the rule that covers the call, in this order: a rule of exactly this input, one that lists the input, one about unread results. */
  readonly find: (subject: Subject) => Rule | null
  /** Returns the rule of this decision; null where it is not in force. */
  readonly get: (decisionId: string) => Rule | null
}

const maxRules = 10_000
const maxInputs = 4_096
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const isIn = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most

/** Returns null where there is no list, and `odd` where the value does not conform to the API. */
function readInputs(given: unknown): ReadonlySet<string> | null | 'odd' {
  if (given === undefined || given === null) return null
  if (!Array.isArray(given) || given.length > maxInputs) return 'odd'
  return given.every((prefix) => typeof prefix === 'string') ? new Set(given) : 'odd'
}

function readExecutedAfter(given: unknown): number {
  if (given === undefined || given === null) return Number.NEGATIVE_INFINITY
  return typeof given === 'string' ? Date.parse(given) : Number.NaN
}

/** Returns null where the type of the rule is unknown or the rule does not conform to the API: a doubtful rule is ignored. */
function readRule(given: unknown): Rule | null {
  if (typeof given !== 'object' || given === null) return null
  const rule = given as Record<string, unknown>
  const { decision_id: decisionId, type, tool_name: toolName } = rule
  const { freshness_s: freshnessS, holdout_rate: holdoutRate, tool_version: toolVersion } = rule
  const inputHash = rule['input_hash'] ?? null
  const agentId = rule['agent_id'] ?? null
  const agentName = rule['agent_name'] ?? null
  const inputs = readInputs(rule['inputs'])
  const executedAfterMs = readExecutedAfter(rule['executed_after'])
  if (type !== 'reuse_identity' && type !== 'suppress_dead') return null
  if (typeof decisionId !== 'string' || !uuid.test(decisionId) || typeof toolName !== 'string') return null
  if (!isIn(freshnessS, 0, Number.MAX_SAFE_INTEGER) || !isIn(holdoutRate, 0, 1)) return null
  if (toolVersion !== undefined && toolVersion !== null && typeof toolVersion !== 'string') return null
  if (inputs === 'odd' || Number.isNaN(executedAfterMs)) return null
  // The rule is for one agent, but its name is missing: it could be any agent.
  if (agentId !== null && typeof agentName !== 'string') return null
  const isReuse = type === 'reuse_identity'
  if (isReuse && typeof inputHash !== 'string' && (inputHash !== null || inputs === null)) return null
  return {
    decisionId,
    type,
    toolName,
    toolVersion: isReuse && inputHash !== null ? toolVersion : (toolVersion ?? null),
    inputHash: isReuse ? (inputHash as string | null) : null,
    inputs: isReuse && inputHash === null ? inputs : null,
    agentName: agentId === null ? null : (agentName as string),
    freshnessS,
    holdoutRate,
    executedAfterMs,
  }
}

/** Reads a body of GET /v1/apply/rules; returns null where it is no such body. At most 10,000 rules are kept. */
export function readRuleBook(body: string): RuleBook | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return null
  }
  const { rules, version } = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as Record<string, unknown>
  if (!Array.isArray(rules)) return null
  const known = rules.slice(0, maxRules).flatMap((rule) => readRule(rule) ?? [])
  return makeRuleBook(known, readRulesVersion(version))
}

/** Whether a reuse_identity rule serves the input with this hash and prefix. */
export const servesInput = ({ inputHash, inputs }: Rule, hash: string, prefix: string): boolean =>
  inputHash === null ? inputs !== null && inputs.has(prefix) : inputHash === hash

const covers = ({ agentName, toolVersion }: Rule, subject: Subject): boolean =>
  (agentName === null || agentName === subject.agentName) &&
  (toolVersion === undefined || toolVersion === subject.version)

function groupBy(rules: readonly Rule[], keyOf: (rule: Rule) => string): ReadonlyMap<string, readonly Rule[]> {
  const groups = new Map<string, Rule[]>()
  for (const rule of rules) {
    const key = keyOf(rule)
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [rule])
    else known.push(rule)
  }
  return groups
}

function makeRuleBook(rules: readonly Rule[], version: RulesVersion | null): RuleBook {
  const isReuse = ({ type }: Rule): boolean => type === 'reuse_identity'
  const keyOf = (tool: string, inputHash: string | null): string => `${inputHash ?? ''} ${tool}`
  const ofOneInput = groupBy(
    rules.filter((rule) => rule.inputHash !== null),
    (rule) => keyOf(rule.toolName, rule.inputHash),
  )
  const ofInputs = groupBy(
    rules.filter((rule) => isReuse(rule) && rule.inputHash === null),
    (rule) => rule.toolName,
  )
  const ofUnread = groupBy(
    rules.filter((rule) => !isReuse(rule)),
    (rule) => rule.toolName,
  )
  const byId = new Map(rules.map((rule) => [rule.decisionId, rule]))

  function findReuse(subject: Subject): Rule | undefined {
    const { tool, inputHash } = subject
    const isCovered = (rule: Rule): boolean => rule.toolName === tool && covers(rule, subject)
    const exact = ofOneInput
      .get(keyOf(tool, inputHash))
      ?.find((rule) => rule.inputHash === inputHash && isCovered(rule))
    const listing = exact === undefined ? ofInputs.get(tool) : undefined
    if (listing === undefined) return exact
    const prefix = inputPrefix(inputHash)
    return listing.find((rule) => isCovered(rule) && servesInput(rule, inputHash, prefix))
  }

  return {
    version,
    size: rules.length,
    find(subject) {
      const reuse = subject.attestsSameInput ? findReuse(subject) : undefined
      if (reuse !== undefined || !subject.attestsUnread) return reuse ?? null
      return ofUnread.get(subject.tool)?.find((rule) => covers(rule, subject)) ?? null
    },
    get: (decisionId) => byId.get(decisionId) ?? null,
  }
}

export const noRules: RuleBook = makeRuleBook([], null)
