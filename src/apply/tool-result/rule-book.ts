// Floor 3. The rules in force by the id of their decision, read once from each version of the snapshot that SDKs get.
import { subjectOf } from '../../otlp/rows/result-subjects.ts'
import type { ServedRules } from '../rules-representation.ts'

/** A rule by which stored results are served. */
export type ResultRule = {
  readonly workspaceId: string
  readonly decisionId: string
  readonly toolName: string
  /** Null: whatever the input. */
  readonly inputHash: string | null
  /** Null: of every agent. */
  readonly agentId: string | null
  readonly freshnessS: number
  /** What its results are results of (`otlp/rows/result-subjects.ts`). */
  readonly subject: number
  /** Names everything above: what answers are kept by. */
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
  readonly input_hash: string | null
  readonly agent_id: string | null
  readonly freshness_s: number
}

function readBook(workspaceId: string, body: Buffer): RuleBook {
  const { rules } = JSON.parse(body.toString('utf8')) as { rules: readonly Listed[] }
  return new Map(rules.flatMap((rule) => readRule(workspaceId, rule) ?? []).map((rule) => [rule.decisionId, rule]))
}

/** Null where the rule is none that serves results. */
function readRule(workspaceId: string, listed: Listed): ResultRule | null {
  const { decision_id: decisionId, type, tool_name: toolName, agent_id: agentId, freshness_s: freshnessS } = listed
  const inputHash = type === 'reuse_identity' ? listed.input_hash : null
  const isServed = type === 'suppress_dead' || (type === 'reuse_identity' && inputHash !== null)
  if (!isServed) return null
  const key = JSON.stringify([workspaceId, decisionId, toolName, inputHash, agentId, freshnessS])
  const subject = subjectOf(toolName, inputHash)
  return { workspaceId, decisionId, toolName, inputHash, agentId, freshnessS, subject, key }
}
