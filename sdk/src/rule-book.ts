// SDK. The rules in force, as one look-up: by tool and input, or by tool alone.

export type RuleType = 'reuse_identity' | 'suppress_dead'

export type Rule = {
  readonly decisionId: string
  readonly type: RuleType
  readonly toolName: string
  /** Of reuse_identity only. */
  readonly inputHash: string | null
  /** Null: every agent of the workspace. */
  readonly agentName: string | null
  readonly freshnessS: number
  readonly holdoutRate: number
}

export type RuleBook = {
  readonly size: number
  /** The rule that covers the call: one for exactly this input before one for the tool whatever its input. */
  readonly find: (tool: string, inputHash: string | null, agentName: string) => Rule | null
}

const maxRules = 10_000
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const isIn = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most

/** Null where it is of a type that is not known here, or not what the interface says: a rule in doubt is no rule. */
function readRule(given: unknown): Rule | null {
  if (typeof given !== 'object' || given === null) return null
  const rule = given as Record<string, unknown>
  const {
    decision_id: decisionId,
    type,
    tool_name: toolName,
    freshness_s: freshnessS,
    holdout_rate: holdoutRate,
  } = rule
  const inputHash = rule['input_hash'] ?? null
  const agentId = rule['agent_id'] ?? null
  const agentName = rule['agent_name'] ?? null
  if (type !== 'reuse_identity' && type !== 'suppress_dead') return null
  if (typeof decisionId !== 'string' || !uuid.test(decisionId) || typeof toolName !== 'string') return null
  if (!isIn(freshnessS, 0, Number.MAX_SAFE_INTEGER) || !isIn(holdoutRate, 0, 1)) return null
  // For one agent whose name is not told: it may be any.
  if (agentId !== null && typeof agentName !== 'string') return null
  if (type === 'reuse_identity' && typeof inputHash !== 'string') return null
  return {
    decisionId,
    type,
    toolName,
    inputHash: type === 'reuse_identity' ? (inputHash as string) : null,
    agentName: agentId === null ? null : (agentName as string),
    freshnessS,
    holdoutRate,
  }
}

const keyOf = (tool: string, inputHash: string | null): string => `${inputHash ?? ''} ${tool}`

/** The book of a body of GET /v1/apply/rules; null where it is no such body. At most 10,000 rules are kept. */
export function readRuleBook(body: string): RuleBook | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return null
  }
  const rules = typeof parsed === 'object' && parsed !== null ? (parsed as { rules?: unknown }).rules : undefined
  return Array.isArray(rules) ? makeRuleBook(rules.slice(0, maxRules).flatMap((rule) => readRule(rule) ?? [])) : null
}

function makeRuleBook(rules: readonly Rule[]): RuleBook {
  const bySubject = new Map<string, Rule[]>()
  for (const rule of rules) {
    const key = keyOf(rule.toolName, rule.inputHash)
    const known = bySubject.get(key)
    if (known === undefined) bySubject.set(key, [rule])
    else known.push(rule)
  }
  const among = (tool: string, inputHash: string | null, agentName: string): Rule | null => {
    const listed = bySubject.get(keyOf(tool, inputHash))
    if (listed === undefined) return null
    const covers = (rule: Rule): boolean =>
      rule.inputHash === inputHash && (rule.agentName === null || rule.agentName === agentName)
    return listed.find(covers) ?? null
  }
  return {
    size: rules.length,
    find: (tool, inputHash, agentName) =>
      (inputHash === null ? null : among(tool, inputHash, agentName)) ?? among(tool, null, agentName),
  }
}

export const noRules: RuleBook = makeRuleBook([])
