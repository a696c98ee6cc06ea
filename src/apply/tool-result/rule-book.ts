// The rules in force by the id of their decision, read once from each version of the snapshot that SDKs get.
import { inputPrefix } from '../../base/input-prefix.ts'
import type { ServedRules } from '../rules-representation.ts'

/** A rule by which stored results are served. */
export type ResultRule = {
  readonly workspaceId: string
  readonly decisionId: string
  readonly type: 'reuse_identity' | 'suppress_dead'
  readonly toolName: string
  /** Null: of a tool that declares none. */
  readonly toolVersion: string | null
  /** Null: of every agent. */
  readonly agentId: string | null
  readonly freshnessS: number
  /** Whether the rule may serve this input; the database compares the whole hash. */
  readonly servesInput: (inputHash: string) => boolean
  /** Names all that an answer depends on but the input and the scope: what answers are kept by. */
  readonly key: string
}

export type RuleBook = ReadonlyMap<string, ResultRule>

/** Gives the rules of a snapshot; parses it on the first call, and lets go of what was read when the snapshot goes. */
export function openRuleBooks(): (workspaceId: string, rules: ServedRules) => RuleBook {
  const books = new WeakMap<ServedRules, RuleBook>()
  return (workspaceId, rules) => {
    const known = books.get(rules)
    if (known !== undefined) return known
    const book = readBook(workspaceId, rules.plain.body)
    books.set(rules, book)
    return book
  }
}

type Listed = {
  readonly decision_id: string
  readonly type: string
  readonly tool_name: string
  readonly tool_version: string | null
  readonly input_hash: string | null
  readonly inputs: readonly string[] | null
  readonly agent_id: string | null
  readonly freshness_s: number
  readonly executed_after: string | null
}

function readBook(workspaceId: string, body: Buffer): RuleBook {
  const { rules } = JSON.parse(body.toString('utf8')) as { rules: readonly Listed[] }
  return new Map(rules.flatMap((rule) => readRule(workspaceId, rule) ?? []).map((rule) => [rule.decisionId, rule]))
}

/** Null where the rule is none that serves results. */
function readRule(workspaceId: string, listed: Listed): ResultRule | null {
  const { decision_id: decisionId, type, tool_name: toolName, tool_version: toolVersion, agent_id: agentId } = listed
  const { freshness_s: freshnessS, executed_after: executedAfter } = listed
  if (type !== 'reuse_identity' && type !== 'suppress_dead') return null
  const names = [workspaceId, decisionId, type, toolName, toolVersion, agentId, freshnessS, executedAfter]
  const key = JSON.stringify(names)
  return {
    workspaceId,
    decisionId,
    type,
    toolName,
    toolVersion,
    agentId,
    freshnessS,
    servesInput: type === 'reuse_identity' ? matchInputs(listed) : () => false,
    key,
  }
}

const prefixChars = 12

function matchInputs({ input_hash: only, inputs }: Listed): (inputHash: string) => boolean {
  if (only !== null) return (inputHash) => inputHash === only
  // One text of all prefixes, in order: thousands of short strings or a set of them would take several times the memory.
  const sorted = [...(inputs ?? [])].sort().join('')
  return (inputHash) => holds(sorted, inputPrefix(inputHash))
}

function holds(sorted: string, prefix: string): boolean {
  let low = 0
  let high = sorted.length / prefixChars
  while (low < high) {
    const middle = (low + high) >> 1
    const found = sorted.slice(middle * prefixChars, (middle + 1) * prefixChars)
    if (found === prefix) return true
    if (found < prefix) low = middle + 1
    else high = middle
  }
  return false
}
