// Floor 1. What kind of work a span is, by the first dialect that says so.
import type { Kind } from '../event/event.ts'
import { anyOf, type Names } from '../otlp/names.ts'
import type { Attributes } from '../otlp/span.ts'
import { first, firstText, has } from './attribute.ts'
import { isStreamRequest } from './logfire.ts'
import { readNamedCall } from './named-call.ts'
import type { Reading } from './reading.ts'
import { mlflowTypeNames, openInferenceKindNames, traceloopKindNames } from './shared-names.ts'

const langfuseTypeNames = anyOf('langfuse.observation.type')
const operationNames = anyOf('gen_ai.operation.name')
const requestTypeNames = anyOf('llm.request.type')
const sentryNames = anyOf('sentry.op')
const vercelIdNames = anyOf('ai.operationId')
const vercelNameNames = anyOf('operation.name')
const mcpNames = anyOf('mcp.method.name')

/** Types that a dialect states outright, by attribute, in order of trust. Texts are compared in lower case. */
const statedTypes: readonly {
  readonly names: Names
  readonly kinds: ReadonlyMap<string, Kind>
}[] = [
  {
    names: langfuseTypeNames,
    kinds: new Map([
      ['generation', 'llm'],
      ['embedding', 'embedding'],
      ['agent', 'agent'],
      ['tool', 'tool'],
      ['chain', 'chain'],
      ['retriever', 'retriever'],
      ['guardrail', 'guardrail'],
      ['evaluator', 'evaluator'],
      ['event', 'other'],
    ]),
  },
  {
    names: openInferenceKindNames,
    kinds: new Map([
      ['llm', 'llm'],
      ['embedding', 'embedding'],
      ['chain', 'chain'],
      ['retriever', 'retriever'],
      ['reranker', 'reranker'],
      ['tool', 'tool'],
      ['agent', 'agent'],
      ['guardrail', 'guardrail'],
      ['evaluator', 'evaluator'],
      ['prompt', 'other'],
    ]),
  },
  {
    names: operationNames,
    kinds: new Map([
      ['chat', 'llm'],
      ['text_completion', 'llm'],
      ['generate_content', 'llm'],
      ['completion', 'llm'],
      ['generate', 'llm'],
      ['responses', 'llm'],
      ['messages', 'llm'],
      ['embeddings', 'embedding'],
      ['embedding', 'embedding'],
      ['execute_tool', 'tool'],
      ['invoke_agent', 'agent'],
      ['create_agent', 'agent'],
      ['agent', 'agent'],
      ['execute_task', 'agent'],
      ['invoke_workflow', 'chain'],
      ['plan', 'chain'],
      ['handle_conversation_turn', 'chain'],
      ['agent_step', 'chain'],
      ['handoff', 'chain'],
      ['execute_event_loop_cycle', 'chain'],
      ['retrieval', 'retriever'],
      ['rerank', 'reranker'],
      ['fetch_response', 'other'],
    ]),
  },
  {
    names: anyOf('langsmith.span.kind'),
    kinds: new Map([
      ['llm', 'llm'],
      ['embedding', 'embedding'],
      ['chain', 'chain'],
      ['tool', 'tool'],
      ['retriever', 'retriever'],
      ['prompt', 'other'],
      ['parser', 'other'],
    ]),
  },
  {
    names: mlflowTypeNames,
    kinds: new Map([
      ['llm', 'llm'],
      ['chat_model', 'llm'],
      ['embedding', 'embedding'],
      ['chain', 'chain'],
      ['workflow', 'chain'],
      ['task', 'chain'],
      ['tool', 'tool'],
      ['agent', 'agent'],
      ['retriever', 'retriever'],
      ['reranker', 'reranker'],
      ['memory', 'memory'],
      ['guardrail', 'guardrail'],
      ['evaluator', 'evaluator'],
      ['parser', 'other'],
    ]),
  },
  {
    names: anyOf('lmnr.span.type'),
    kinds: new Map([
      ['llm', 'llm'],
      ['tool', 'tool'],
      ['executor', 'chain'],
      ['evaluation', 'chain'],
      ['evaluator', 'evaluator'],
      ['human_evaluator', 'evaluator'],
    ]),
  },
  {
    names: traceloopKindNames,
    kinds: new Map([
      ['workflow', 'chain'],
      ['task', 'chain'],
      ['agent', 'agent'],
      ['tool', 'tool'],
    ]),
  },
  {
    names: requestTypeNames,
    kinds: new Map([
      ['chat', 'llm'],
      ['completion', 'llm'],
      ['embedding', 'embedding'],
      ['rerank', 'reranker'],
    ]),
  },
]

/** Vercel AI SDK up to 6. Only the inner `do…` spans are calls; the spans around them repeat model and usage. */
const vercelOperations: ReadonlyMap<string, readonly [kind: Kind, operation: string]> = new Map([
  ['ai.generateText.doGenerate', ['llm', 'chat']],
  ['ai.streamText.doStream', ['llm', 'chat']],
  ['ai.generateObject.doGenerate', ['llm', 'chat']],
  ['ai.streamObject.doStream', ['llm', 'chat']],
  ['ai.embed.doEmbed', ['embedding', 'embeddings']],
  ['ai.embedMany.doEmbed', ['embedding', 'embeddings']],
  ['ai.rerank.doRerank', ['reranker', 'rerank']],
  ['ai.toolCall', ['tool', 'execute_tool']],
])

const toolMarks = anyOf(
  'gen_ai.tool.call.id',
  'gen_ai.tool.name',
  'gen_ai.tool.call.name',
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
  'tracewright.tool.input_hash',
  'tracewright.tool.ciphertext',
  'tracewright.tool.served',
  'gcp.vertex.agent.tool_call_args',
  'lk.function_tool.name',
)
const retrieverMarks = anyOf('gen_ai.retrieval.query.text', 'gen_ai.retrieval.documents')
const llmMarks = anyOf(
  'gen_ai.request.model',
  'gen_ai.response.model',
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'llm.model_name',
  'llm.request.model_name',
  'llm.response.model_name',
  'gen_ai.prompt.0.content',
  'gen_ai.completion.0.content',
)

function vercelOperationId(attributes: Attributes): string | null {
  const id = firstText(attributes, vercelIdNames) ?? firstText(attributes, vercelNameNames)?.split(' ', 1)[0]
  return id?.startsWith('ai.') ? id : null
}

/** Sentry writes the operation into its own `sentry.op`, too, and older releases only there. */
function statedOperation(attributes: Attributes): string | null {
  const name = firstText(attributes, operationNames)
  if (name !== null) return name
  const op = first(attributes, sentryNames)
  return typeof op === 'string' && op.startsWith('gen_ai.') ? op.slice('gen_ai.'.length) : null
}

function kindOfName(name: string): Kind | null {
  if (name.startsWith('claude_code.')) {
    if (name === 'claude_code.llm_request') return 'llm'
    if (name.startsWith('claude_code.tool')) return 'tool'
    return name === 'claude_code.interaction' ? 'chain' : 'other'
  }
  // Google ADK before 2.0 gives the spans of its agents no attributes.
  if (name.startsWith('agent_run [')) return 'agent'
  if (!name.startsWith('anthropic.')) return null
  if (name.startsWith('anthropic.tool_use')) return 'tool'
  return /\b(?:messages|complete|completions)\b/.test(name) ? 'llm' : 'other'
}

/**
 * The kind of a span by itself. That an llm span only wraps another one is found out with the whole trace (`resolve`).
 * Cost: about 10 look-ups, 30 where nothing states a kind.
 */
export function readKind(reading: Reading): Kind {
  const kind = readStatedKind(reading)
  return kind === 'llm' && isStreamRequest(reading) ? 'chain' : kind
}

function readStatedKind(reading: Reading): Kind {
  const { attributes, span } = reading
  let isTyped = false
  for (const { names, kinds } of statedTypes) {
    const isOperation = names === operationNames
    const stated = isOperation ? statedOperation(attributes) : firstText(attributes, names)
    if (stated === null) continue
    const text = stated.toLowerCase()
    const kind = kinds.get(text)
    if (kind !== undefined) return kind
    if (isOperation && text.includes('_memory')) return 'memory'
    isTyped ||= isOperation || names === langfuseTypeNames
  }
  const operationId = vercelOperationId(attributes)
  if (operationId !== null) return vercelOperations.get(operationId)?.[0] ?? 'chain'
  const named = kindOfName(span.name)
  if (named !== null) return named
  const mcpMethod = first(attributes, mcpNames)
  if (mcpMethod !== undefined) return mcpMethod === 'tools/call' ? 'tool' : 'other'
  // A type or an operation that we do not know is still a statement: the span is not what its attributes suggest.
  if (isTyped) return 'other'
  if (has(attributes, toolMarks)) return 'tool'
  if (has(attributes, retrieverMarks)) return 'retriever'
  if (reading.isPydanticAi && attributes.has('agent_name')) return 'agent'
  if (has(attributes, llmMarks) || (reading.isPydanticAi && attributes.has('model_name'))) return 'llm'
  return readNamedCall(reading)?.kind ?? 'other'
}

/** The operation in OpenTelemetry's words where the sender gave one or it follows; else the sender's own word, or null. */
export function readOperation(reading: Reading, kind: Kind): string | null {
  const { attributes } = reading
  const stated = statedOperation(attributes)
  if (stated !== null) return stated
  const operationId = vercelOperationId(attributes)
  if (operationId !== null) return vercelOperations.get(operationId)?.[1] ?? operationId
  const type = firstText(attributes, requestTypeNames)
  if (type !== null || (kind !== 'llm' && kind !== 'embedding')) return type
  return readNamedCall(reading)?.operation ?? null
}
