// Recognition of the dialect of a span by its scope or its attributes, also on recordings of real instrumentations.
import test from 'ava'
import { normalise } from '../../src/normalise/normalise.ts'
import { walkRequest } from '../../src/otlp/decode-request.ts'
import { defaultIngestLimits } from '../../src/otlp/intake/limits.ts'
import { openTally } from '../../src/otlp/intake/rejection-tally.ts'
import { openSlicer } from '../../src/otlp/protobuf/slicer.ts'
import { dialects, encodeAny, moveTo, readRequests } from '../interop/_recording.ts'
import { read } from './_span.ts'

const cases: Readonly<Record<string, Parameters<typeof read>[0]>> = {
  tracewright: { attributes: { 'tracewright.tool.attested': true, 'gen_ai.tool.name': 'search' } },
  'claude-code': { name: 'claude_code.llm_request', attributes: { input_tokens: 5, model: 'claude-sonnet-4-5' } },
  langfuse: { attributes: { 'langfuse.observation.type': 'generation', 'gen_ai.request.model': 'gpt-4o' } },
  openinference: { attributes: { 'openinference.span.kind': 'LLM', 'gen_ai.system': 'openai' } },
  langsmith: { attributes: { 'langsmith.span.kind': 'llm', 'gen_ai.system': 'openai' } },
  mlflow: { attributes: { 'mlflow.spanType': '"LLM"' } },
  laminar: { attributes: { 'lmnr.span.type': 'LLM' } },
  vercel: { attributes: { 'ai.operationId': 'ai.generateText.doGenerate', 'gen_ai.request.model': 'gpt-4o' } },
  traceloop: { attributes: { 'llm.request.type': 'chat', 'gen_ai.request.model': 'gpt-4o' } },
  openlit: { scope: 'openlit.instrumentation.openai', attributes: { 'gen_ai.operation.name': 'chat' } },
  pydantic: { scope: 'logfire.openai', attributes: { 'gen_ai.operation.name': 'chat' } },
  'google-adk': { attributes: { 'gcp.vertex.agent.event_id': 'e', 'gen_ai.operation.name': 'execute_tool' } },
  sentry: { attributes: { 'sentry.op': 'gen_ai.chat' } },
  opentelemetry: { attributes: { 'gen_ai.operation.name': 'chat' } },
}

for (const [dialect, span] of Object.entries(cases)) {
  test(`${dialect} is known by its marks, also beside names of the standard`, (t) => t.is(read(span).dialect, dialect))
}

test('a span of another kind of instrumentation, and one without attributes, has none', (t) => {
  t.is(read({ attributes: { 'http.request.method': 'GET', 'server.address': 'api.openai.com' } }).dialect, null)
})

test('the scope and its version are told as sent; a part that is empty is none', (t) => {
  t.like(read({}), { scopeName: null, scopeVersion: null })
  t.like(read({ scope: 'ai' }), { scopeName: 'ai', scopeVersion: null })
})

test('only a resource that names the main agent names the agent of all spans', (t) => {
  t.false(read({ resource: { 'service.name': 'shop' } }).hasMainAgent)
  t.true(read({ resource: { 'gen_ai.main_agent.name': 'planner' } }).hasMainAgent)
})

/** Sorts null last. */
const compareDialects = (a: string | null, b: string | null): number => ((a ?? '~') < (b ?? '~') ? -1 : 1)

/** Returns the dialects of the spans of a recording by scope; with `withTokensAlone`, only of spans with tokens. */
function readDialects(
  recording: string,
  withTokensAlone = false,
): Readonly<Record<string, readonly (string | null)[]>> {
  const requests = readRequests(recording)
  moveTo(requests, BigInt(Date.now()) * 1_000_000n)
  const found = new Map<string, Set<string | null>>()
  const slicer = openSlicer()
  for (const request of requests) {
    const task = { contentType: 'protobuf', gzip: false, nowMs: Date.now(), limits: defaultIngestLimits } as const
    const walked = walkRequest(
      { ...task, body: encodeAny(request) },
      openTally(),
      (span) => {
        const { scopeName, dialect, usage } = normalise(span)
        if (withTokensAlone && usage.inputTokens === null) return
        found.set(scopeName ?? '', (found.get(scopeName ?? '') ?? new Set()).add(dialect))
      },
      slicer,
    )
    if (!walked.ok) throw new Error(walked.detail)
  }
  return Object.fromEntries([...found].map(([scope, set]) => [scope, [...set].toSorted(compareDialects)]))
}

test('every span with tokens that real instrumentations recorded has a dialect', (t) => {
  for (const recording of dialects) {
    const found = Object.values(readDialects(recording, true)).flat()
    t.true(found.length > 0, recording)
    t.false(found.includes(null), recording)
  }
})

const recorded: Readonly<Record<string, ReturnType<typeof readDialects>>> = {
  oi_openai: { 'openinference.instrumentation.openai': ['openinference'], app: ['openinference'] },
  // Anthropic's own client reports beside it.
  oi_anthropic: {
    'com.anthropic.sdk.python': ['anthropic-sdk'],
    'openinference.instrumentation.anthropic': ['openinference'],
  },
  google_adk: { 'gcp.vertex.agent': ['google-adk'] },
  langfuse_v3: { 'langfuse-sdk': ['langfuse'] },
  mlflow_otlp: { 'mlflow.tracing.provider': ['mlflow'] },
  pydantic_logfire: { 'pydantic-ai': ['pydantic'], 'com.anthropic.sdk.python': ['anthropic-sdk'] },
  strands_otel: { 'strands.telemetry.tracer': ['strands'] },
  tl_openai: { 'opentelemetry.instrumentation.openai.v1': ['traceloop'] },
}

for (const [recording, expected] of Object.entries(recorded)) {
  test(`the dialects of the recording ${recording}, by scope`, (t) => {
    t.deepEqual(readDialects(recording), expected)
  })
}

test('requests of HTTP beside the calls of a recording have no dialect', (t) => {
  t.deepEqual(readDialects('openlit_all')['opentelemetry.instrumentation.httpx'], [null])
})
