// What the service says of the rules of a workspace, all of it read over its public interface.
import type { Observed } from '../../../src/pricing/monthly.ts'
import type { Workspace } from '../account.ts'
import { callRoute } from '../interface.ts'
import { DemoFault } from '../options.ts'

export type Decision = {
  readonly id: string
  readonly type: string
  readonly state: 'proposed' | 'shadow' | 'active' | 'disabled'
  readonly disabled_at: string | null
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
export type Point = {
  readonly trial: number
  readonly matches: number
  readonly rate: number
  readonly lower: number
  readonly upper: number
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
export type Rule = { readonly decision_id: string; readonly tool_name: string; readonly input_hash: string | null }

export type Reading = {
  decisions(): Promise<readonly Decision[]>
  /** Oldest first. */
  transitions(decisionId: string): Promise<readonly Transition[]>
  /** As it is known now; null before the first trial that counts. */
  lastPoint(decisionId: string): Promise<Point | null>
  savings(fromMs: number): Promise<Savings>
  openFindings(): Promise<readonly Finding[]>
  /** What SDKs are given. */
  rules(): Promise<readonly Rule[]>
  /** The answer of the service to a call that is served: what it holds of a result. */
  storedResult(rule: Rule): Promise<Readonly<Record<string, string>>>
}

export function openReading(url: string, { accessToken, workspaceId, key }: Workspace): Reading {
  async function get<Shape>(path: string, token = accessToken): Promise<Shape> {
    const { status, json } = await callRoute(`${url}${path}`, 'GET', token)
    if (status !== 200) throw new DemoFault(`GET ${path.split('?')[0]} returned status ${status}.`)
    return json as Shape
  }
  const base = `/v1/workspaces/${workspaceId}`
  return {
    decisions: async () => await get(`${base}/decisions?limit=100`),
    async transitions(decisionId) {
      const steps = await get<Transition[]>(`${base}/decisions/${decisionId}/transitions`)
      return steps.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
    },
    async lastPoint(decisionId) {
      const { points } = await get<{ points: Point[] }>(`${base}/decisions/${decisionId}/measurements`)
      return points.at(-1) ?? null
    },
    savings: async (fromMs) =>
      await get(
        `${base}/stats/savings?from_time=${new Date(fromMs).toISOString()}&to_time=${new Date().toISOString()}`,
      ),
    openFindings: async () => (await get<{ items: Finding[] }>(`${base}/findings?status=open&limit=100`)).items,
    rules: async () => (await get<{ rules: Rule[] }>('/v1/apply/rules', key)).rules,
    async storedResult({ decision_id: id, input_hash: input }) {
      const query = new URLSearchParams({ decision_id: id, ...(input === null ? {} : { input_hash: input }) })
      return await get(`/v1/apply/tool-result?${query.toString()}`, key)
    },
  }
}
