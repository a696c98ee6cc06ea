// Rules as a front holds them, for tests of tool results.

import { inputPrefix } from '../../../src/base/input-prefix.ts'
import { makeServedRules, type ServedRules } from '../../../src/serving/rules-representation.ts'
import type { WantedResult } from '../../../src/serving/tool-result/match.ts'

export type RuleSeed = {
  readonly id: string
  readonly type?: string
  readonly tool?: string
  readonly version?: string | null
  readonly input?: string | null
  /** Complete hashes. */
  readonly inputs?: readonly string[] | null
  readonly agentId?: string | null
  readonly freshnessS?: number
}

/** Builds a snapshot as `decisions/snapshot.ts` writes it. */
export async function serveRules(version: number, seeds: readonly RuleSeed[]): Promise<ServedRules> {
  const rules = seeds.map(({ id, type = 'reuse_identity', tool = 'search', input = null, ...rest }) => ({
    decision_id: id,
    type,
    tool_name: tool,
    tool_version: rest.version ?? null,
    input_hash: input,
    inputs: rest.inputs?.map(inputPrefix).sort() ?? null,
    agent_id: rest.agentId ?? null,
    freshness_s: rest.freshnessS ?? 60,
    holdout_rate: 0.05,
    config: {},
    activated_at: null,
  }))
  const text = JSON.stringify({
    version: `mark.${version}`,
    generated_at: '2026-03-01T00:00:00.000Z',
    poll_after_s: 30,
    rules,
  })
  return await makeServedRules({ version: `mark.${version}`, text })
}

type WantedSeed = {
  readonly workspaceId?: string
  readonly type?: 'reuse_identity' | 'suppress_dead'
  readonly agentId?: string | null
  readonly hash?: string
}

/** The wanted result of one input by a rule on a tool; of one scope if its type is `suppress_dead`. */
export function makeWanted({
  workspaceId = 'w',
  type = 'reuse_identity',
  agentId = null,
  hash = 'i',
}: WantedSeed = {}): WantedResult {
  const key = JSON.stringify([workspaceId, type, agentId, hash])
  const rule = { workspaceId, type, agentId, decisionId: 'd', toolName: 'search', toolVersion: null, freshnessS: 60 }
  return { rule: { ...rule, servesInput: () => true, key }, hash, key }
}
