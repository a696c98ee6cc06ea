// SDK. Reads the answer of a model, in the formats of the common providers.
import { textOf } from './read-messages.ts'

export type LlmUsage = {
  /** Tokens of the whole prompt, cached or not. */
  readonly inputTokens?: number
  readonly outputTokens?: number
  /** Read from the prompt cache; part of inputTokens. */
  readonly cachedTokens?: number
  /** Written to the prompt cache; part of inputTokens. */
  readonly cacheWriteTokens?: number
  /** Part of outputTokens. */
  readonly reasoningTokens?: number
}

export type LlmAnswer = {
  /** The text and the tool calls, as one text. Used to find out which results were read; never sent. Without it, all of them count as read. */
  readonly output?: string
  readonly model?: string
  readonly id?: string
  readonly finishReasons?: readonly string[]
  readonly usage?: LlmUsage
}

type Json = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const objectAt = (object: Json, key: string): Json => (isObject(object[key]) ? object[key] : {})
const listAt = (object: Json, key: string): readonly unknown[] => (Array.isArray(object[key]) ? object[key] : [])

function count(object: Json, ...names: readonly string[]): number | undefined {
  const value = names.map((name) => object[name]).find((given) => typeof given === 'number')
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

/** Returns the object without its undefined members. */
function known<Shape extends object>(shape: { readonly [Key in keyof Shape]: Shape[Key] | undefined }): Shape {
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as Shape
}

function readOpenAiUsage(usage: Json): LlmUsage {
  const input = { ...objectAt(usage, 'prompt_tokens_details'), ...objectAt(usage, 'input_tokens_details') }
  const output = { ...objectAt(usage, 'completion_tokens_details'), ...objectAt(usage, 'output_tokens_details') }
  return known<Required<LlmUsage>>({
    inputTokens: count(usage, 'prompt_tokens', 'input_tokens'),
    outputTokens: count(usage, 'completion_tokens', 'output_tokens'),
    cachedTokens: count(input, 'cached_tokens'),
    cacheWriteTokens: count(input, 'cache_write_tokens'),
    reasoningTokens: count(output, 'reasoning_tokens'),
  })
}

/** Anthropic's input tokens do not include those read from the cache and written to it, so they are added. */
function readAnthropicUsage(usage: Json): LlmUsage {
  const cachedTokens = count(usage, 'cache_read_input_tokens')
  const cacheWriteTokens = count(usage, 'cache_creation_input_tokens')
  const fresh = count(usage, 'input_tokens')
  const inputTokens = fresh === undefined ? undefined : fresh + (cachedTokens ?? 0) + (cacheWriteTokens ?? 0)
  const outputTokens = count(usage, 'output_tokens')
  const reasoningTokens = count(objectAt(usage, 'output_tokens_details'), 'thinking_tokens')
  return known<Required<LlmUsage>>({ inputTokens, outputTokens, cachedTokens, cacheWriteTokens, reasoningTokens })
}

function readParts(response: Json): Omit<LlmAnswer, 'id' | 'model'> {
  const usage = objectAt(response, 'usage')
  const choices = listAt(response, 'choices').filter(isObject)
  if (choices.length > 0) {
    const finishReasons = choices
      .map((choice) => choice['finish_reason'])
      .filter((reason) => typeof reason === 'string')
    return { output: textOf(choices.map((choice) => choice['message'])), finishReasons, usage: readOpenAiUsage(usage) }
  }
  if (Array.isArray(response['output'])) {
    const status = response['status']
    const finishReasons = typeof status === 'string' ? [status] : []
    // In background mode, the answer comes later: its output is not known yet.
    const output = isUnfinished(status) ? {} : { output: textOf(response['output']) }
    return { ...output, finishReasons, usage: readOpenAiUsage(usage) }
  }
  if (Array.isArray(response['content'])) {
    const reason = response['stop_reason']
    const finishReasons = typeof reason === 'string' ? [reason] : []
    return { output: textOf(response['content']), finishReasons, usage: readAnthropicUsage(usage) }
  }
  return isPlain(response) ? { output: textOf(response) } : {}
}

const isUnfinished = (status: unknown): boolean => status === 'queued' || status === 'in_progress'

/** Whether the JSON text of the object holds all of it. Of a stream, or an instance of a class, it may hold nothing. */
function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object)
  return prototype === Object.prototype || prototype === null
}

/**
 * Reads answers of OpenAI (chat and responses) and Anthropic. The output of any other JSON value is its JSON text; of anything else, such as
 * a stream, and of a response of OpenAI that has not ended, it is not known.
 */
export function readAnswer(response: unknown): LlmAnswer {
  if (response === undefined || response === null) return {}
  if (!isObject(response)) return { output: textOf(response) }
  const { id, model } = response
  return {
    ...readParts(response),
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof model === 'string' ? { model } : {}),
  }
}
