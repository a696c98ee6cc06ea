// Rules as a front holds them, for tests of tool results.
import { makeServedRules, type ServedRules } from '../../../src/apply/rules-representation.ts'
import type { ResultRule } from '../../../src/apply/tool-result/rule-book.ts'
import { subjectOf } from '../../../src/otlp/rows/result-subjects.ts'

export type RuleSeed = {
  readonly id: string
  readonly type?: string
  readonly tool?: string
  readonly input?: string | null
  readonly agentId?: string | null
  readonly freshnessS?: number
}

/** A snapshot as `decisions/snapshot.ts` writes it. */
export async function serveRules(version: number, seeds: readonly RuleSeed[]): Promise<ServedRules> {
  const rules = seeds.map(({ id, type = 'reuse_identity', tool = 'search', input = null, ...rest }) => ({
    decision_id: id,
    type,
    tool_name: tool,
    input_hash: input,
    agent_id: rest.agentId ?? null,
    freshness_s: rest.freshnessS ?? 60,
    holdout_rate: 0.05,
    config: {},
    activated_at: null,
  }))
  const text = JSON.stringify({ version, generated_at: '2026-03-01T00:00:00.000Z', poll_after_s: 30, rules })
  return await makeServedRules({ version, text })
}

export function makeRule(given: Partial<ResultRule> = {}): ResultRule {
  const rule = {
    workspaceId: 'w',
    decisionId: 'd',
    toolName: 'search',
    inputHash: 'i',
    agentId: null,
    freshnessS: 60,
    ...given,
  }
  return { ...rule, subject: subjectOf(rule.toolName, rule.inputHash), key: JSON.stringify(rule) }
}
