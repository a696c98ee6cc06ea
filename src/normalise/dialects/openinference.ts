// The dialect of OpenInference, by Arize.
import type { Kind } from '../../event/event.ts'
import { anyOf } from '../../event/names.ts'
import { asText, first, firstText, has } from '../attribute.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { Dialect, MessageRead, TextRead } from '../merge/definition.ts'
import { inAttributes, indexed } from '../messages/sources.ts'
import type { SpanReading } from '../span-reading.ts'
import { fillFromProviderUsage, usageOfAnswer } from '../usage/provider-usage.ts'
import { usageInMeta, usageInRepr } from '../usage/python-repr.ts'
import type { ReportedUsage } from '../usage/reported-usage.ts'
import { fillFromLangChain, isLangChain, readLangChainMessageId, readLangChainUsage } from './langchain.ts'
import {
  excludesCacheOfAgno,
  fillFromPredictions,
  inputNames,
  isMadeAsEmbedding,
  kindNames,
  modelOfRequest,
  outputNames,
  readDspyTool,
  readIdOfInteraction,
  readInnerArguments,
  restateKind,
  usageNames,
} from './openinference-instrumentations.ts'

const nodeNames = anyOf('graph.node.name', 'graph.node.id')
const maxAnnotations = 32

/** The node of a graph is an agent only if the span is an agent. */
const nodeName: TextRead = ({ attributes }, kind) =>
  kind === 'agent' && has(attributes, kindNames) ? firstText(attributes, nodeNames) : null

/** Matches the id at the beginning of a provider's whole answer. A proxy of LiteLLM makes ids of several hundred characters. */
const idOfAnswer = /^\{"id": ?"([^"\\]{1,1024})"/
/** What shows that the id is the provider's and not that of a record which the model wrote as JSON. A long answer may be cut after the id. */
const providerId = /^(?:chatcmpl|cmpl|msg|resp|gen)[-_]/
const memberOfAnswer = /"(?:object|choices|candidates|usage|finish_reason|stop_reason)":|"type": ?"message"/

export function readIdOfAnswer(answer: unknown): string | null {
  const id = typeof answer === 'string' ? (idOfAnswer.exec(answer)?.[1] ?? null) : null
  return id !== null && (providerId.test(id) || memberOfAnswer.test(answer as string)) ? id : null
}

export const isOpenInferenceCall = ({ attributes }: SpanReading): boolean => first(attributes, kindNames) === 'LLM'

/** OpenInference has no name for the response id, but keeps the answer that contains it. */
const responseId: TextRead = (reading, kind) => {
  if (kind !== 'llm' || !isOpenInferenceCall(reading)) return null
  if (isLangChain(reading)) return readLangChainMessageId(reading)
  return readIdOfInteraction(reading) ?? readIdOfAnswer(first(reading.attributes, outputNames))
}

const llamaIndexScope = 'openinference.instrumentation.llama_index'
/** The step of a workflow in which an agent asks its model. Its input, as Python prints it, ends with the name of the agent. */
const agentStep = '.run_agent_step'
const currentAgent = /\bcurrent_agent_name='([^'\\]+)'\)/g

const agentOfStep: TextRead = ({ span, attributes }) => {
  if (span.scope.name !== llamaIndexScope || !span.name.endsWith(agentStep)) return null
  const input = first(attributes, inputNames)
  return typeof input === 'string' ? ([...input.matchAll(currentAgent)].at(-1)?.[1] ?? null) : null
}

/** `OpenAI._prepare_chat_with_tools` */
const privateMethod = /\._\w+$/

/**
 * Whether the span is an internal step of a model class of LlamaIndex: each method of the class is reported as a model call. The public
 * method is reported too, so that a private one without usage can be ignored.
 */
const isStepOfCall = ({ span, attributes }: SpanReading): boolean =>
  span.scope.name === llamaIndexScope &&
  privateMethod.test(span.name) &&
  span.statusCode !== 2 &&
  !has(attributes, usageNames)

/** The processors for Traceloop and OpenLIT call every call of a model `LLM`. */
const isEmbedding = (reading: SpanReading): boolean => has(reading.attributes, kindNames) && isMadeAsEmbedding(reading)

const maxStreamUs = 86_400_000_000

/**
 * Returns the time from the start of a LlamaIndex span to its last event, in microseconds. The span of a stream ends when the stream
 * begins, but gets events after that, up to the first token.
 */
function readLeastUs({ span }: SpanReading): number | null {
  if (span.scope.name !== llamaIndexScope) return null
  const times = span.events.map(({ timeUnixNano }) => Number((timeUnixNano - span.startTimeUnixNano) / 1_000n))
  const us = Math.max(0, ...times)
  return us <= maxStreamUs ? us : null
}

const reasoningKey = /reasoning_tokens|thinking_tokens|thoughtsTokenCount|thoughts_token_count/
const cachedKey =
  /cached_tokens|cache_read_input_tokens|cacheReadInputTokens|cachedContentTokenCount|cached_content_token_count/

/** A count of Gemini that belongs to the input and has no name in OpenInference. */
const toolUse = /(?:tool_use_prompt_token_count|toolUsePromptTokenCount)"?: ?[1-9]/

/** Whether a provider's answer may contain a count that is still missing. Only such answers are parsed. */
function hasOpenCount(answer: string, told: ReportedUsage): boolean {
  const isSplitOpen = told.cacheWrite5m === null && told.cacheWrite1h === null && told.cacheWrite !== 0
  return (
    (isSplitOpen && answer.includes('ephemeral_')) ||
    (told.reasoning === null && reasoningKey.test(answer)) ||
    (told.cached === null && cachedKey.test(answer)) ||
    toolUse.test(answer) ||
    (told.input === null && answer.includes('"usage"'))
  )
}

/** Returns the usage in an answer of smolagents or Haystack, kept as Python prints it. For embeddings, Haystack has the usage in `meta`. */
function usageInPrinted({ raw, replies, meta }: JsonObject): JsonObject | null {
  if (typeof raw === 'string') return usageInRepr(raw)
  // Each reply has the usage of all replies.
  const reply: unknown = Array.isArray(replies) ? replies[0] : undefined
  if (typeof reply === 'string') return usageInMeta(reply)
  return isObject(meta) ? usageOfAnswer(meta) : null
}

/** Fills in missing counts from the provider's whole answer, whose usage is finer than the counts that OpenInference has names for. */
function fillFromAnswer(reading: SpanReading, told: ReportedUsage, kind: Kind): void {
  const { attributes, flags } = reading
  if (!has(attributes, kindNames)) return
  if (kind === 'embedding') fillFromPredictions(reading, told)
  // The answers of embeddings are long, and their usage contains no other count than the input.
  if (told.input !== null && kind === 'embedding') return
  const answer = first(attributes, outputNames)
  if (typeof answer !== 'string' || !hasOpenCount(answer, told)) return
  if (isLangChain(reading)) {
    const usage = readLangChainUsage(reading)
    if (usage !== null) fillFromLangChain(usage, told, flags)
    return
  }
  const parsed = reading.object(outputNames)
  if (parsed === null) return
  const usage = usageOfAnswer(parsed) ?? usageInPrinted(parsed)
  if (usage !== null) fillFromProviderUsage(usage, told, flags)
}

const flatMessages = indexed('llm.input_messages.', 'llm.output_messages.')
const wholeMessages = inAttributes(['input.value'], ['output.value'])
const finishNames = anyOf('llm.finish_reason')
/** The finish reasons of OpenAI and Anthropic for an answer that asks for a tool. */
const toolReasons: ReadonlySet<unknown> = new Set(['tool_calls', 'function_call', 'tool_use'])

/** Reads the whole answer if it ends with a request for a tool that the flattened messages lack, as those of Portkey do. */
const messagesOfAnswer: MessageRead = (reading, way) => {
  const told = flatMessages(reading, way)
  if (told === null || way === 'input' || !toolReasons.has(first(reading.attributes, finishNames))) return told
  const isAsked = told.some(({ parts }) => parts.some(({ type }) => type === 'tool_call'))
  return isAsked ? told : (wholeMessages(reading, way) ?? told)
}

/** Also those of dialects that took its forms over. */
export const kindsOfOpenInference = {
  llm: 'llm',
  embedding: 'embedding',
  chain: 'chain',
  retriever: 'retriever',
  reranker: 'reranker',
  tool: 'tool',
  agent: 'agent',
  guardrail: 'guardrail',
  evaluator: 'evaluator',
} as const

export const openInference: Dialect = {
  name: 'openinference',
  marks: { scopes: ['openinference*', '@arizeai/openinference*'], attributes: ['openinference.span.kind'] },
  kinds: [
    {
      attribute: 'openinference.span.kind',
      kinds: { ...kindsOfOpenInference, prompt: 'other', token_counter: 'other' },
    },
  ],
  names: {
    llmMarks: ['llm.model_name', 'llm.request.model_name', 'llm.response.model_name'],
    agent: ['agent.name'],
    contextAgent: [nodeName, agentOfStep],
    session: ['session.id'],
    resourceSession: ['session.id'],
    user: ['user.id'],
    resourceUser: ['user.id'],
    provider: ['llm.provider', 'llm.system'],
    requestModel: ['llm.request.model_name', 'llm.model_name', 'embedding.model_name'],
    responseModel: ['llm.response.model_name'],
    modelParameters: ['llm.invocation_parameters', 'embedding.invocation_parameters'],
    finishReasons: ['llm.finish_reason'],
    inputTokens: ['llm.token_count.prompt'],
    outputTokens: ['llm.token_count.completion'],
    totalTokens: ['llm.token_count.total'],
    cachedTokens: ['llm.token_count.prompt_details.cache_read', 'llm.token_count.prompt_details.cache_input'],
    cacheWriteTokens: ['llm.token_count.prompt_details.cache_write'],
    reasoningTokens: ['llm.token_count.completion_details.reasoning'],
    cost: ['llm.cost.total'],
    toolName: ['tool.name'],
    toolCallId: ['tool.id', 'tool_call.id', 'tool.call_id'],
    toolArguments: ['input.value'],
    toolResult: ['output.value'],
    // In the Responses API, the first message may be the reasoning.
    toolRequestMarks: [0, 1].map((at) => `llm.output_messages.${at}.message.tool_calls.0.tool_call.function.name`),
  },
  late: {
    // Names of BeeAI, which reports the other counts under the names above.
    cachedTokens: ['metadata.usage.cached_prompt_tokens'],
    cacheWriteTokens: ['metadata.usage.cached_creation_tokens'],
    responseId: [responseId],
  },
  /** Last, because most instrumentations write the tool's schema there. */
  own: { toolArguments: ['tool.parameters'], toolName: [readDspyTool] },
  messages: [messagesOfAnswer, wholeMessages],
  content: {
    in: ['input.value', 'llm.prompts', 'llm.prompts.#', 'llm.input_messages.#', 'tool.parameters'],
    out: ['output.value', 'llm.completions', 'llm.completions.#', 'llm.output_messages.#'],
    apart: [
      'llm.prompt_template.template',
      'llm.prompt_template.variables',
      'llm.prompt_template.variables.*',
      'llm.tools.*',
      'retrieval.documents.*',
      'reranker.query',
      'reranker.input_documents.*',
      'reranker.output_documents.*',
      'embedding.text',
      'embedding.embeddings.*',
    ],
  },
  reads: {
    restatedKind: { on: { attributes: kindNames.all }, read: restateKind },
    isRequestOnly: { on: { attributes: kindNames.all }, read: isStepOfCall },
    model: { on: { attributes: kindNames.all }, read: modelOfRequest },
    toolArguments: { on: { own: true }, read: readInnerArguments },
    leastUs: { on: { events: true }, read: readLeastUs },
    callUsage: { on: { attributes: outputNames.all }, read: fillFromAnswer },
    isEmbedding: { on: { attributes: kindNames.all }, read: isEmbedding },
    excludesCache: { on: { own: true }, read: excludesCacheOfAgno },
    scores: {
      on: { attributes: ['annotations.0.annotation.score'] },
      read({ attributes }, add) {
        for (let n = 0; n < maxAnnotations; n += 1) {
          const score = attributes.get(`annotations.${n}.annotation.score`)
          if (score === undefined) break
          add(asText(score))
        }
      },
    },
  },
}
