// Reads a tenant's data through the public API once its traces have settled.
import type { TestService } from '../_kit/serve.ts'
import type { Tenant } from '../_kit/sign-up.ts'

export type Event = {
  readonly trace_id: string
  readonly span_id: string
  readonly parent_span_id: string | null
  readonly kind: string
  readonly name: string
  readonly agent_name: string
  readonly session_id: string | null
  readonly status: string
  readonly model: string | null
  readonly provider: string | null
  readonly tool_name: string | null
  readonly tool_call_id: string | null
  readonly input_hash: string | null
  readonly ttft_ms: number | null
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly cached_tokens: number | null
  readonly cache_write_tokens: number | null
  readonly reasoning_tokens: number | null
  readonly cost_usd: number | null
  readonly flags: readonly string[]
}

export type Trace = {
  readonly name: string
  readonly agent_name: string
  readonly session_id: string | null
  readonly user_id: string | null
  readonly status: string
  readonly span_count: number
  readonly llm_calls: number
  readonly tool_calls: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost_usd: number | null
  readonly models: readonly string[]
  readonly tools: readonly string[]
  readonly settled: boolean
}

export type Summary = {
  readonly total_events: number
  readonly llm_calls: number
  readonly traces: number
  readonly sessions: number
  readonly errors: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cached_tokens: number
  readonly cache_write_tokens: number
  readonly reasoning_tokens: number
  readonly cost_usd: number
}

export type Told = {
  readonly traces: readonly Trace[]
  /** In order of start. */
  readonly events: readonly Event[]
  readonly summary: Summary
  /** Names of the agents, in order. */
  readonly agents: readonly string[]
}

const deadlineMs = 120_000

/** Waits until the tenant has that many traces, all settled. Returns everything that the API reports about them. */
export async function readBack(service: TestService, tenant: Tenant, traceCount = 1): Promise<Told> {
  const get = async <Shape>(path: string): Promise<Shape> => {
    const answer = await service.call('GET', `/v1/workspaces/${tenant.workspaceId}${path}`, {
      token: tenant.accessToken,
    })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`)
    return answer.json as Shape
  }
  const giveUpAt = performance.now() + deadlineMs
  for (;;) {
    const { items: traces } = await get<{ items: Trace[] }>('/traces?limit=200')
    if (
      traces.length === traceCount &&
      traces.every((trace) => trace.settled) &&
      !(await hasEmptyAgents(service, tenant))
    ) {
      const { items } = await get<{ items: Event[] }>('/events?limit=200')
      const agents = await get<{ name: string }[]>('/agents')
      return {
        traces,
        events: items.toReversed(),
        summary: await get<Summary>('/stats/summary'),
        agents: agents.map((agent) => agent.name).toSorted(),
      }
    }
    if (performance.now() > giveUpAt)
      throw new Error(`expected ${traceCount} settled traces, got ${JSON.stringify(traces)}`)
    await new Promise((turn) => setTimeout(turn, 50))
  }
}

/** Settling removes emptied agents a moment later. */
const hasEmptyAgents = async ({ query }: TestService, { workspaceId }: Tenant): Promise<boolean> =>
  (await query('select from agents where workspace_id = $1 and events <= 0', [workspaceId])).length > 0

/** The events of one kind, in order of start. */
export const ofKind = (told: Told, kind: string): readonly Event[] => told.events.filter((event) => event.kind === kind)
