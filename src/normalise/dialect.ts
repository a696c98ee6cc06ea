// Floor 1. Whose attribute names a span uses, in one word.
import { anyOf, type Names } from '../otlp/names.ts'
import { among, has } from './attribute.ts'
import type { Reading } from './reading.ts'

/** By names that no other dialect has. One that adds its own names to the standard's comes before it. */
const dialects: readonly (readonly [dialect: string, names: Names])[] = [
  [
    'tracewright',
    anyOf(
      'tracewright.tool.input_hash',
      'tracewright.tool.attested',
      'tracewright.tool.served',
      'tracewright.tool.content_hash',
    ),
  ],
  [
    'langfuse',
    anyOf(
      'langfuse.observation.type',
      'langfuse.observation.input',
      'langfuse.observation.output',
      'langfuse.observation.usage_details',
    ),
  ],
  ['openinference', anyOf('openinference.span.kind', 'llm.token_count.prompt')],
  ['langsmith', anyOf('langsmith.span.kind', 'langsmith.trace.name', 'langsmith.trace.session_name')],
  ['mlflow', anyOf('mlflow.spanType')],
  ['laminar', anyOf('lmnr.span.type', 'lmnr.span.path')],
  ['vercel', anyOf('ai.operationId')],
  [
    'openllmetry',
    anyOf(
      'traceloop.span.kind',
      'traceloop.workflow.name',
      'traceloop.entity.name',
      'llm.request.type',
      'llm.is_streaming',
      'gen_ai.is_streaming',
    ),
  ],
  ['openlit', anyOf('gen_ai.sdk.version', 'gen_ai.application_name')],
  ['logfire', anyOf('logfire.span_type', 'logfire.msg')],
  [
    'google_adk',
    anyOf(
      'gcp.vertex.agent.event_id',
      'gcp.vertex.agent.invocation_id',
      'gcp.vertex.agent.llm_request',
      'gcp.vertex.agent.tool_call_args',
    ),
  ],
  ['sentry', anyOf('sentry.op')],
  [
    'genai',
    anyOf(
      'gen_ai.operation.name',
      'gen_ai.provider.name',
      'gen_ai.system',
      'gen_ai.request.model',
      'gen_ai.response.model',
      'gen_ai.agent.name',
      'gen_ai.tool.name',
      'gen_ai.tool.call.id',
      'gen_ai.usage.input_tokens',
      'gen_ai.usage.output_tokens',
      'mcp.method.name',
    ),
  ],
]
const anyDialect = anyOf(...dialects.flatMap(([, names]) => names.all))

/** By the list of names that are there, which is one and the same for all spans with the same keys. */
const known = new WeakMap<readonly (string | number)[], string | null>()

/** Null: none of the names is known. About 0.05 µs where spans with the same keys were read before, else 1 µs. */
export function readDialect({ attributes, span }: Reading): string | null {
  // Its names are bare words, which others use too.
  if (span.name.startsWith('claude_code.') || span.scope.name.startsWith('com.anthropic.claude_code')) {
    return 'claude_code'
  }
  const present = among(attributes, anyDialect)
  const before = known.get(present)
  if (before !== undefined) return before
  const found = dialects.find(([, names]) => has(attributes, names))?.[0] ?? null
  // Attributes that do not remember their keys give the list of all names.
  if (present !== anyDialect.all) known.set(present, found)
  return found
}
