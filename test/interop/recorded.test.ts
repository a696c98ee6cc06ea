// What real instrumentations sent, sent again: each call of the provider must count once. See recorded/README.md.
import { gzipSync } from 'node:zlib'
import test from 'ava'
import { startService, type TestService } from '../_kit/serve.ts'
import type { Tenant } from '../_kit/sign-up.ts'
import { isSoak } from '../_kit/soak.ts'
import { until } from '../_kit/until.ts'
import { exportSpans } from '../demo/interface.ts'
import { dialects, encodeAny, type ModelTruth, moveTo, readRequests, readTruth, type Truth } from './_recording.ts'

const models = (...rows: (readonly [string, number, number, number, number])[]): ModelTruth[] =>
  rows.map(([model, calls, input_tokens, cached_tokens, output_tokens]) => ({
    model,
    calls,
    input_tokens,
    cached_tokens,
    output_tokens,
  }))

/** What the spans do not say. The figures that can be read from them stand here, in place of the provider's. */
const notSent: Readonly<Record<string, Partial<Truth>>> = {
  // No usage of the embedding.
  genkit: {
    input_tokens: 33_380,
    cost_usd: 0.00669708,
    models: models(
      ['gemini-2.5-flash', 5, 8_220, 4_096, 678],
      ['gpt-4o-mini', 14, 25_160, 12_288, 1_316],
      ['text-embedding-3-small', 0, 0, 0, 0],
    ),
  },
  // Of OpenAI's chat no cache counts.
  agentops: {
    cached_tokens: 4_096,
    cost_usd: 0.0026635,
    models: models(['gpt-4o-mini', 2, 4_010, 0, 201], ['gpt-5-mini', 4, 8_140, 4_096, 414]),
  },
  // Anthropic's streams: cache counts of 0.
  openlit_all: {
    input_tokens: 26_725,
    cached_tokens: 8_544,
    cache_write_tokens: 1_000,
    cost_usd: 0.04649634,
    models: models(
      ['claude-sonnet-4-5', 5, 14_038, 2_400, 518],
      ['gpt-4o-mini', 4, 6_030, 3_072, 303],
      ['gpt-5-mini', 3, 6_150, 3_072, 315],
      ['text-embedding-3-small', 0, 507, 0, 0],
    ),
  },
  // No span of the failed call, nor of the embedding, and no usage of the stream inside the span of the application.
  litellm_otel_parent: {
    calls: 8,
    input_tokens: 15_158,
    cached_tokens: 8_144,
    output_tokens: 743,
    cost_usd: 0.00825018,
    models: models(['claude-sonnet-4-5', 1, 3_008, 2_000, 128], ['gpt-4o-mini', 7, 12_150, 6_144, 615]),
  },
  // A turn of the agent is one span, with the output as it stood when each answer began. How long cache writes live is not told either.
  claude_agent_oi: {
    calls: 2,
    output_tokens: 4,
    cost_usd: 0.040818,
    models: models(['claude-sonnet-4-5', 2, 17_406, 4_800, 4]),
  },
  // No cache count of a completion of code, and not which tool is asked for.
  tl_mistral: {
    cached_tokens: 4_096,
    tool_calls: 0,
    models: models(
      ['codestral-latest', 1, 2_070, 0, 107],
      ['mistral-embed', 0, 506, 0, 0],
      ['mistral-large-latest', 6, 8_010, 4_096, 401],
    ),
  },
  // No cache counts, and no reasoning.
  otel_openai_agents: {
    cached_tokens: 0,
    reasoning_tokens: 0,
    cost_usd: 0.002827,
    models: models(['gpt-5-mini', 4, 8_060, 0, 406]),
  },
  // Streams: no cache counts, which Anthropic's input lacks as well.
  spring_ai: {
    input_tokens: 44_640,
    cached_tokens: 14_064,
    cache_write_tokens: 1_300,
    cost_usd: 0.04996826,
    models: models(
      ['claude-sonnet-4-5', 4, 14_742, 2_800, 522],
      ['gpt-4o-mini', 17, 29_390, 11_264, 1_539],
      ['text-embedding-3-small', 0, 508, 0, 0],
    ),
  },
  // Not the model of the failed call.
  ag2: {
    models: models(
      ['claude-sonnet-4-5', 2, 8_713, 2_400, 253],
      ['gpt-4o-mini', 14, 29_410, 14_336, 1_541],
      ['gpt-5-mini', 2, 4_090, 2_048, 209],
      ['unknown', 1, 0, 0, 0],
    ),
  },
  haystack: {
    models: models(
      ['claude-sonnet-4-5', 2, 8_717, 2_400, 257],
      ['gpt-4o-mini', 4, 8_080, 4_096, 408],
      ['gpt-5-mini', 2, 4_070, 2_048, 207],
      ['text-embedding-3-small', 0, 507, 0, 0],
      ['unknown', 1, 0, 0, 0],
    ),
  },
  // How long cache writes live is in the raw answers inside the outputs of steps, not on the calls.
  mastra: { cost_usd: 0.053234 },
  // No counts of the embedding, and no reasoning.
  monocle: {
    input_tokens: 12_180,
    reasoning_tokens: 0,
    cost_usd: 0.0023322,
    models: models(
      ['gpt-4o-mini', 4, 6_030, 3_072, 303],
      ['gpt-5-mini', 3, 6_150, 3_072, 315],
      ['text-embedding-3-small', 0, 0, 0, 0],
    ),
  },
  // No cache counts.
  monocle_langgraph: { cached_tokens: 0, cost_usd: 0.001821, models: models(['gpt-4o-mini', 5, 10_100, 0, 510]) },
  traceai_openai: {
    cached_tokens: 0,
    cost_usd: 0.00594564,
    models: models(
      ['gpt-4o-mini', 11, 20_800, 0, 1_080],
      ['gpt-5-mini', 3, 6_150, 0, 315],
      ['text-embedding-3-small', 0, 507, 0, 0],
    ),
  },
  // All calls of a turn are one span.
  voltagent: { calls: 4, models: models(['gpt-4o-mini', 3, 8_060, 4_096, 406], ['gpt-5-mini', 1, 4_090, 2_048, 209]) },
  // The spans of the proxy are in other traces than those of OpenAI's client. Of the two streams, the embedding and the failed call of this
  // client, no id tells that they are the same calls: they count twice. FastAPI reports the failure beside the proxy's own spans.
  litellm_proxy: {
    calls: 15,
    errors: 4,
    input_tokens: 34_712,
    cached_tokens: 12_992,
    output_tokens: 1_344,
    reasoning_tokens: 256,
    cost_usd: 0.05356048,
    models: models(
      ['claude-sonnet-4-5', 5, 17_438, 4_800, 518],
      ['gpt-4o-mini', 6, 8_050, 4_096, 405],
      ['gpt-5-mini', 4, 8_210, 4_096, 421],
      ['text-embedding-3-small', 0, 1_014, 0, 0],
    ),
  },
  // No cache counts.
  semantic_kernel: {
    cached_tokens: 0,
    cost_usd: 0.0040818,
    models: models(['gpt-4o-mini', 12, 22_580, 0, 1_158]),
  },
  // No cache counts at all; OpenAI's chat stream with counts of a tokenizer; no span of Anthropic's `.stream()`.
  openlit_1_34: {
    calls: 11,
    input_tokens: 16_304,
    cached_tokens: 0,
    cache_write_tokens: 0,
    output_tokens: 920,
    cost_usd: 0.02559744,
    models: models(
      ['claude-sonnet-4-5', 4, 5_627, 0, 387],
      ['gpt-4o-mini', 4, 4_020, 0, 218],
      ['gpt-5-mini', 3, 6_150, 0, 315],
      ['text-embedding-3-small', 0, 507, 0, 0],
    ),
  },
}

// The provider's prices are known to nine digits.
const costTolerance = 0.0001

let service: TestService
const tenants = new Map<string, Tenant>()
/** What the service answered to a request that it did not take whole, or with a warning. */
const refusals = new Map<string, string[]>()

test.before(async () => {
  service = await startService()
  for (const dialect of dialects) await send(dialect)
  await until(async () => (await service.query('select from traces where not settled limit 1')).length === 0)
})
test.after.always(async () => await service?.stop())

async function send(dialect: string): Promise<void> {
  const tenant = await service.addWorkspace()
  const requests = readRequests(dialect)
  moveTo(requests, BigInt(Date.now() - 1_000) * 1_000_000n)
  const refused: string[] = []
  for (const request of requests) {
    const body = gzipSync(encodeAny(request), { level: 1 })
    const { rejected, message } = await exportSpans(service.baseUrl, tenant.key, body)
    if (rejected > 0 || message !== '') refused.push(`${rejected} ${message}`)
  }
  tenants.set(dialect, tenant)
  refusals.set(dialect, refused)
}

type Summary = Omit<Truth, 'calls' | 'tool_calls' | 'models'> & {
  readonly llm_calls: number
  readonly models: readonly (Omit<ModelTruth, 'calls'> & { readonly llm_calls: number })[]
}

/** Providers answer with a dated name of the model that was asked for. */
const withoutDate = (model: string): string => model.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, '')

function sumByModel(rows: Summary['models']): ModelTruth[] {
  const byName = Map.groupBy(rows, ({ model }) => withoutDate(model))
  const sum = (own: Summary['models'], field: 'llm_calls' | 'input_tokens' | 'cached_tokens' | 'output_tokens') =>
    own.reduce((total, row) => total + row[field], 0)
  return [...byName]
    .map(([model, own]) => ({
      model,
      calls: sum(own, 'llm_calls'),
      input_tokens: sum(own, 'input_tokens'),
      cached_tokens: sum(own, 'cached_tokens'),
      output_tokens: sum(own, 'output_tokens'),
    }))
    .toSorted((a, b) => (a.model < b.model ? -1 : 1))
}

async function readFigures(tenant: Tenant): Promise<Truth> {
  const get = async (path: string): Promise<unknown> =>
    (await service.call('GET', `/v1/workspaces/${tenant.workspaceId}${path}`, { token: tenant.accessToken })).json
  const summary = (await get('/stats/summary')) as Summary
  const { items: traces } = (await get('/traces?limit=200')) as { items: { tool_calls: number }[] }
  return {
    calls: summary.llm_calls,
    errors: summary.errors,
    tool_calls: traces.reduce((total, trace) => total + trace.tool_calls, 0),
    input_tokens: summary.input_tokens,
    cached_tokens: summary.cached_tokens,
    cache_write_tokens: summary.cache_write_tokens,
    output_tokens: summary.output_tokens,
    reasoning_tokens: summary.reasoning_tokens,
    cost_usd: summary.cost_usd,
    models: sumByModel(summary.models),
  }
}

/** The provider's truth, as far as the spans say it. */
const readTold = (dialect: string): Truth => ({ ...readTruth(dialect), ...notSent[dialect] })

const isSameCost = (got: number, expected: number): boolean => Math.abs(got - expected) <= costTolerance * expected

for (const dialect of dialects) {
  const truth = readTold(dialect)
  test(`${dialect}: as the provider counted`, async (t) => {
    t.deepEqual(refusals.get(dialect), [])
    const { cost_usd: cost, ...counts } = await readFigures(tenants.get(dialect) as Tenant)
    const { cost_usd: expectedCost, ...expected } = truth
    t.deepEqual(counts, expected)
    t.true(isSameCost(cost, expectedCost), `${cost} USD, not ${expectedCost} USD`)
  })
}

/** Whose model calls they are, where the set-up has agents and one trace holds all their spans. */
const agents: Readonly<Record<string, readonly string[]>> = {
  ag2: [
    'ag2-service',
    'claude',
    'delegator',
    'failing',
    'researcher',
    'specialist',
    'streamer',
    'supervisor',
    'writer',
  ],
  agent_framework: ['drafter', 'editor', 'researcher', 'streamer', 'streamer2', 'supervisor', 'writer'],
  agentops: ['my_agent', 'researcher', 'streamer', 'supervisor'],
  autogen_oi: ['researcher', 'writer'],
  crewai_oi: ['researcher', 'writer'],
  genkit: ['genkit', 'researchFlow', 'supervisor'],
  google_adk: ['researcher', 'supervisor'],
  google_adk_2: ['researcher', 'supervisor'],
  haystack: ['haystack-service', 'researcher', 'writer'],
  langfuse_langchain: ['langfuse_langchain', 'researcher', 'supervisor'],
  langfuse_v3: ['researcher'],
  litellm_proxy: ['litellm-proxy', 'px_all'],
  llama_index_oi: ['llama_index_oi', 'researcher'],
  logfire_agents: ['researcher', 'streamer', 'supervisor'],
  mastra: ['claude', 'plain', 'researcher', 'specialist', 'supervisor', 'writer'],
  monocle_langgraph: ['monocle_lg', 'researcher'],
  netra: ['netra_all', 'researcher'],
  mlflow_langchain: ['mlflow_langchain', 'researcher', 'supervisor'],
  mlflow_otlp: ['researcher'],
  oi_anthropic_agent: ['claude-agent'],
  oi_openai_agents: ['researcher', 'streamer', 'supervisor'],
  oi_smolagents: ['researcher', 'supervisor'],
  otel_openai_agents: ['researcher', 'streamer', 'supervisor'],
  pydantic_logfire: ['claude', 'researcher', 'supervisor'],
  semantic_kernel: ['drafter', 'editor', 'failing', 'researcher', 'sk-service', 'streamer', 'supervisor'],
  strands_otel: ['researcher'],
  tl_crewai: ['researcher', 'writer'],
  tl_langchain: ['researcher', 'supervisor', 'tl_langchain'],
  voltagent: ['failing', 'researcher', 'supervisor'],
}

test('calls belong to the agents that made them', async (t) => {
  for (const [dialect, expected] of Object.entries(agents)) {
    const { workspaceId, accessToken: token } = tenants.get(dialect) as Tenant
    const { json } = await service.call('GET', `/v1/workspaces/${workspaceId}/stats/breakdown`, { token })
    const { items } = json as { items: { label: string; llm_calls: number }[] }
    const found = items.filter((agent) => agent.llm_calls > 0).map(({ label }) => label)
    t.deepEqual(found.toSorted(), expected, dialect)
  }
})

test('traces, breakdown and time series agree on calls of tools, reported or inferred', async (t) => {
  type Sums = { readonly tool_calls: number }
  const sum = (rows: readonly Sums[]): number => rows.reduce((total, { tool_calls }) => total + tool_calls, 0)
  // All of them read the same rows: by default each dialect takes one in turn.
  const groupings = ['tool', 'kind', 'agent']
  for (const [at, dialect] of dialects.entries()) {
    const tenant = tenants.get(dialect) as Tenant
    const get = async (path: string): Promise<unknown> =>
      (await service.call('GET', `/v1/workspaces/${tenant.workspaceId}/stats/${path}`, { token: tenant.accessToken }))
        .json
    const { tool_calls: expected } = readTold(dialect)
    const byTool = (await get('breakdown?group_by=tool')) as { items: Sums[]; other: Sums | null }
    t.is(sum(byTool.items) + (byTool.other?.tool_calls ?? 0), expected, `${dialect}: breakdown`)
    for (const grouping of isSoak ? groupings : [groupings[at % groupings.length]]) {
      const { series } = (await get(`timeseries?group_by=${grouping}&interval=1d`)) as { series: { points: Sums[] }[] }
      t.is(sum(series.flatMap(({ points }) => points)), expected, `${dialect}: time series by ${grouping}`)
    }
  }
})
