// The state of the rules of a workspace, read through the public API only.
import type { Observed } from '../../../src/pricing/monthly.ts'
import { CommandFault } from '../../_kit/command.ts'
import type { Workspace } from '../account.ts'
import { callRoute } from '../interface.ts'

export type Rung = {
  readonly freshness_s: number
  readonly blocks: number
  readonly trials: number
  readonly wrong: number
  readonly wrong_share_upper: number
  readonly rung_proven: boolean
}
export type Score = {
  readonly proven: boolean
  /** Of the serving rung, otherwise of the next one to prove. */
  readonly freshness_s: number
  readonly inputs: number
  readonly watch: { readonly trials: number; readonly wrong: number }
  readonly rungs: readonly Rung[]
  readonly next: { readonly freshness_s: number; readonly needs_s: number | null } | null
}
export type Decision = {
  readonly id: string
  readonly type: string
  readonly state: 'proposed' | 'shadow' | 'active' | 'disabled'
  readonly disabled_at: string | null
  readonly score: Score | null
  readonly config: {
    readonly tool_name: string
    readonly evidence: {
      readonly observed?: Observed
      readonly seen_savings?: { readonly usd: number | null }
      readonly expected_monthly_savings?: { readonly usd: number | null } | null
    }
  }
}
export type Transition = {
  readonly from_state: string | null
  readonly to_state: string
  readonly actor: string
  readonly reason: string | null
  readonly at: string
}
type Sums = {
  readonly served_calls: number
  readonly holdout_calls: number
  readonly gross_usd: number
  readonly holdout_cost_usd: number
  readonly wrong_cost_usd: number
  readonly net_usd: number
  readonly latency_saved_ms: number
}
export type Savings = Sums & { readonly decisions: readonly (Sums & { readonly tool_name: string })[] }
export type Finding = {
  readonly type: string
  readonly title: string
  readonly tool_name: string | null
  readonly est_monthly_cost_usd: number | null
  readonly evidence: {
    readonly observed?: Observed
    readonly price: { readonly basis: string; readonly seen_usd?: number | null }
  }
}
export type Rule = { readonly decision_id: string; readonly tool_name: string }

export type Reading = {
  decisions(): Promise<readonly Decision[]>
  /** Oldest first. */
  transitions(decisionId: string): Promise<readonly Transition[]>
  savings(fromMs: number): Promise<Savings>
  openFindings(): Promise<readonly Finding[]>
  /** The rules that SDKs receive. */
  rules(): Promise<readonly Rule[]>
  /** The answer of the service to a served call: the stored form of a result. */
  storedResult(rule: Rule, inputHash: string): Promise<Readonly<Record<string, string>>>
}

export function openReading(url: string, { accessToken, workspaceId, key }: Workspace): Reading {
  async function get<Shape>(path: string, token = accessToken): Promise<Shape> {
    const { status, json } = await callRoute(`${url}${path}`, 'GET', token)
    if (status !== 200) throw new CommandFault(`GET ${path.split('?')[0]} returned status ${status}.`)
    return json as Shape
  }
  const base = `/v1/workspaces/${workspaceId}`
  return {
    decisions: async () => await get(`${base}/decisions?limit=100`),
    async transitions(decisionId) {
      const steps = await get<Transition[]>(`${base}/decisions/${decisionId}/transitions`)
      return steps.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
    },
    savings: async (fromMs) =>
      await get(
        `${base}/stats/savings?from_time=${new Date(fromMs).toISOString()}&to_time=${new Date().toISOString()}`,
      ),
    openFindings: async () => (await get<{ items: Finding[] }>(`${base}/findings?status=open&limit=100`)).items,
    rules: async () => (await get<{ rules: Rule[] }>('/v1/apply/rules', key)).rules,
    async storedResult({ decision_id: id }, inputHash) {
      const query = new URLSearchParams({ decision_id: id, input_hash: inputHash })
      return await get(`/v1/apply/tool-result?${query.toString()}`, key)
    },
  }
}
