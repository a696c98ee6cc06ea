// Code snippets that send the first trace, with the address of the service and the key filled in.

export type Snippet = {
  readonly id: string
  readonly label: string
  /** The text before the code, such as what to install. */
  readonly intro: string
  /** What has to be known before that. */
  readonly note?: string
  readonly code: string
}

type Target = {
  /** The URL of the service, without a slash at its end. */
  readonly baseUrl: string
  /** The API key, or a placeholder. */
  readonly key: string
}

export const keyPlaceholder = '<API key>'

/** Each snippet names its agent, so that the telemetry page does not report its spans as a problem. */
export const makeSnippets = (target: Target): readonly Snippet[] => [
  {
    id: 'otlp',
    label: 'OpenTelemetry',
    intro: 'For any instrumentation that exports OTLP over HTTP. Set these where your agent runs:',
    code: showEnvironment(target),
  },
  {
    id: 'typescript',
    label: 'TypeScript SDK',
    note: 'The SDK is in no package registry. `npm pack --workspace sdk` in the source of this service makes the file to install.',
    intro: 'npm install ./tracewright-sdk-*.tgz @opentelemetry/api openai',
    code: showTypescript(target),
  },
  {
    id: 'python',
    label: 'Python',
    intro:
      'pip install openai opentelemetry-sdk opentelemetry-exporter-otlp-proto-http openinference-instrumentation-openai',
    code: showPython(target),
  },
  {
    id: 'vercel',
    label: 'Vercel AI',
    intro:
      'npm install ai @ai-sdk/openai @ai-sdk/otel @opentelemetry/sdk-trace-node @opentelemetry/resources @opentelemetry/exporter-trace-otlp-proto',
    code: showVercel(target),
  },
  {
    id: 'curl',
    label: 'curl',
    intro:
      'Sends one model call, which appears below, and prints the answer and its HTTP status. The answer names spans that were rejected; {} with status 200 means that none was.',
    code: showCurl(target),
  },
]

// The headers in this variable are URL-encoded.
export const showEnvironment = ({
  baseUrl,
  key,
}: Target): string => `export OTEL_EXPORTER_OTLP_ENDPOINT=${baseUrl}/v1/otlp
export OTEL_EXPORTER_OTLP_HEADERS="authorization=Bearer%20${key}"
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf`

const showTypescript = ({ baseUrl, key }: Target): string => `import OpenAI from 'openai'
import { createTracewright } from '@tracewright/sdk'

const tracewright = createTracewright({
  baseUrl: '${baseUrl}',
  apiKey: '${key}',
  agentName: 'my-agent',
  hashKey: process.env.HASH_KEY, // openssl rand -base64 32
  encryptionKeys: { current: { keyId: '1', key: process.env.RESULT_KEY } }, // openssl rand -base64 32
})

const openai = new OpenAI()
const messages = [{ role: 'user' as const, content: 'Hello' }]
const request = { provider: 'openai', model: 'gpt-4.1-mini', messages }
await tracewright.agent('my-agent', {}, () =>
  tracewright.llm(request, () => openai.chat.completions.create({ model: request.model, messages })),
)
await tracewright.shutdown()`

const showPython = ({ baseUrl, key }: Target): string => `from openai import OpenAI
from openinference.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

resource = Resource.create({"service.name": "my-agent", "gen_ai.main_agent.name": "my-agent"})
provider = TracerProvider(resource=resource)
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(
    endpoint="${baseUrl}/v1/otlp/v1/traces",
    headers={"authorization": "Bearer ${key}"},
)))
OpenAIInstrumentor().instrument(tracer_provider=provider)

OpenAI().chat.completions.create(
    model="gpt-4.1-mini", messages=[{"role": "user", "content": "Hello"}]
)
provider.shutdown()`

const showVercel = ({ baseUrl, key }: Target): string => `import { openai } from '@ai-sdk/openai'
import { OpenTelemetry } from '@ai-sdk/otel'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { generateText } from 'ai'

const exporter = new OTLPTraceExporter({
  url: '${baseUrl}/v1/otlp/v1/traces',
  headers: { authorization: 'Bearer ${key}' },
})
const provider = new NodeTracerProvider({
  resource: resourceFromAttributes({ 'service.name': 'my-agent', 'gen_ai.main_agent.name': 'my-agent' }),
  spanProcessors: [new BatchSpanProcessor(exporter)],
})
provider.register()

await generateText({
  model: openai('gpt-4.1-mini'),
  prompt: 'Hello',
  telemetry: { functionId: 'my-agent', integrations: [new OpenTelemetry({ usage: true })] },
})
await provider.shutdown()`

// The shell generates ids and times, so that each run is a separate trace.
const showCurl = ({ baseUrl, key }: Target): string => `START=$(date +%s)
curl -sS -w ' HTTP status %{http_code}\\n' ${baseUrl}/v1/otlp/v1/traces \\
  -H 'authorization: Bearer ${key}' -H 'content-type: application/json' -d '{
  "resourceSpans": [{ "resource": { "attributes": [
      { "key": "service.name", "value": { "stringValue": "my-agent" } },
      { "key": "gen_ai.main_agent.name", "value": { "stringValue": "my-agent" } }] },
    "scopeSpans": [{ "spans": [{
      "traceId": "'$(openssl rand -hex 16)'", "spanId": "'$(openssl rand -hex 8)'",
      "name": "chat gpt-4o", "kind": 3,
      "startTimeUnixNano": "'$START'000000000", "endTimeUnixNano": "'$START'900000000",
      "attributes": [
        { "key": "gen_ai.operation.name", "value": { "stringValue": "chat" } },
        { "key": "gen_ai.provider.name", "value": { "stringValue": "openai" } },
        { "key": "gen_ai.request.model", "value": { "stringValue": "gpt-4o" } },
        { "key": "gen_ai.usage.input_tokens", "value": { "intValue": "1000" } },
        { "key": "gen_ai.usage.output_tokens", "value": { "intValue": "200" } }] }] }] }] }'`
