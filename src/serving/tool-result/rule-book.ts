// The active rules by the id of their decision, parsed once from each version of the snapshot that SDKs receive.
import { inputPrefix } from '../../base/input-prefix.ts'
import type { ServedRules } from '../rules-representation.ts'

/** A rule by which stored results are served. */
export type ResultRule = {
  readonly workspaceId: string
  readonly decisionId: string
  readonly type: 'reuse_identity' | 'suppress_dead'
  readonly toolName: string
  /** Null: the tool declares none. */
  readonly toolVersion: string | null
  /** Null: every agent. */
  readonly agentId: string | null
  readonly freshnessS: number
  /** Returns true if the rule may serve this input. The database compares the full hash. */
  readonly servesInput: (inputHash: string) => boolean
  /** Names everything that an answer depends on, except the input and the scope. It is part of the key of an answer in memory. */
  readonly key: string
}

export type RuleBook = ReadonlyMap<string, ResultRule>

/**
 * Returns a function that gives the rules of a snapshot. It parses a snapshot on the first call; the result is released with the snapshot.
 */
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

/** Returns null if the rule does not serve results. */
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
  // One string of all prefixes, in order: thousands of short strings, or a set of them, would take several times the memory.
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
