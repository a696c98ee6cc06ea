// The rows of one trace of the large data set: twelve spans of agents, models and tools, and the row of the trace itself.
import { uuidToBytes } from '../../src/base/ids.ts'
import {
  agentIdAt,
  agentNames,
  mix,
  models,
  pickWeighted,
  rareTool,
  spansInTrace,
  type TraceFacts,
  toolNames,
  workspaceIdAt,
} from './_data-shape.ts'
import { encodeTexts, hashInput, makeTail, remember } from './_data-words.ts'
import type { DataWriter } from './_data-writer.ts'

const steps = [
  ['agent', null],
  ['llm', 0],
  ['tool', 0],
  ['tool', 0],
  ['llm', 0],
  // Another agent, called by the first one.
  ['agent', 0],
  ['llm', 5],
  ['tool', 5],
  ['llm', 5],
  ['tool', 0],
  ['llm', 0],
  ['tool', 0],
] as const
const firstOfAsked = 5
const lastOfAsked = 8
const rareStep = 3
const operations = { agent: 'invoke_agent', llm: 'chat', tool: 'execute_tool' } as const

export const eventColumns = `workspace_id, start_time, trace_id, span_id, parent_span_id, agent_id, agent_own, agent_fallback,
  session_id, session_own, user_id, kind, counted, operation, name, status, error_type, provider, request_model, model,
  response_id, finish_reasons, tool_name, tool_call_id, input_hash, attested, served, holdout, consumed_tool_call_ids,
  read_tool_call_ids, duration_us, input_tokens, output_tokens, cached_tokens, cost_usd, cache_savings_usd, pricing_source,
  flags, payload_id, payload_no`
const eventFields = eventColumns.split(',').length

export const traceColumns = `workspace_id, trace_id, start_time, end_time, has_root, name, name_start_time, agent_id, session_id,
  user_id, span_count, llm_calls, tool_calls, served_calls, holdout_calls, error_count, input_tokens, output_tokens,
  cached_tokens, cache_write_tokens, cost_usd, unpriced_calls, models, tools, settled, last_received_at`
const traceFields = traceColumns.split(',').length

/** An existing block of payloads, and the index of the trace's first span in it. */
export type PayloadPlace = { readonly seed: number; readonly firstNo: number }

const noTexts = encodeTexts([])
const stopped = encodeTexts(['stop'])
const unpricedFlag = encodeTexts(['unpriced'])
const modelWeights = models.map(({ weight }) => weight)
const toolWeights = toolNames.map((_, at) => Math.floor(100 / (at + 1)))
const tails = { llm: makeTail(0.9), tool: makeTail(1.4), tokens: makeTail(0.8) }
const inputs = 4_000
const gapUs = 900

/** Returns a function that writes the rows of a trace to two writers and returns the start of its last span, in microseconds. */
export function makeTraceWriter(events: DataWriter, traces: DataWriter) {
  const starts = new Float64Array(spansInTrace)
  const durations = new Float64Array(spansInTrace)
  const word = remember((text: string) => Buffer.from(text))
  const texts = remember((list: string) => encodeTexts(list.split(',')))
  const workspaceId = remember((place: number) => uuidToBytes(workspaceIdAt(place)))
  const agentId = remember((key: number) => uuidToBytes(agentIdAt(Math.floor(key / 100), key % 100)))
  const inputHash = remember((key: number) =>
    hashInput(toolNames[Math.floor(key / inputs)] ?? rareTool.name, key % inputs),
  )

  function layInTime({ startUs, seed }: TraceFacts): number {
    let cursorUs = startUs
    for (const [at, [kind]] of steps.entries()) {
      const random = mix(seed + 100 + at)
      starts[at] = cursorUs
      durations[at] =
        kind === 'agent' ? 0 : Math.floor(tails[kind](random) * (kind === 'llm' ? 1.2e6 : 1.2e5)) + (random & 1_023)
      cursorUs += (durations[at] ?? 0) + gapUs
      if (at === lastOfAsked) durations[firstOfAsked] = cursorUs - (starts[firstOfAsked] ?? 0)
    }
    durations[0] = cursorUs - startUs
    return cursorUs
  }

  const textOrNul = (value: string | null): void => (value === null ? events.nul() : events.bytes(word(value)))
  const int8OrNul = (value: number | null): void => (value === null ? events.nul() : events.int8(value))
  const float8OrNul = (value: number | null): void => (value === null ? events.nul() : events.float8(value))

  return (facts: TraceFacts, payload: PayloadPlace | null): number => {
    const endUs = layInTime(facts)
    const { workspace, seed } = facts
    const session = Buffer.from(`session-${facts.session}`)
    const user = word(`user-${facts.session % 5_000}`)
    const model = models[pickWeighted(modelWeights, mix(seed + 3))] ?? models[0]
    const helper = (facts.agent + 1) % (agentNames.length - 1)
    const traceSeed = mix(seed + 4)
    const spanSeed = mix(seed + 5)
    const tools = new Set<string>()
    let [served, holdout, errors, input, output, cached, cost, unpriced] = [0, 0, 0, 0, 0, 0, 0, 0]

    for (const [at, [kind, parent]] of steps.entries()) {
      const random = mix(seed + 200 + at)
      const agent = at >= firstOfAsked && at <= lastOfAsked ? helper : facts.agent
      const agentName = agentNames[agent] ?? ''
      const isError = random % 50 === 0
      const isLlm = kind === 'llm'
      const isRare = facts.isRare && at === rareStep
      const toolAt = isRare ? toolNames.length : pickWeighted(toolWeights, mix(random))
      const tool = kind === 'tool' ? (toolNames[toolAt] ?? rareTool.name) : null
      const isServed = tool !== null && !isRare && mix(random + 1) % 33 === 0
      const isHoldout = tool !== null && !isServed && mix(random + 1) % 331 === 0
      const inputTokens = isLlm ? 50 + Math.floor(1_800 * tails.tokens(mix(random + 2))) : null
      const outputTokens = isLlm ? 5 + Math.floor(180 * tails.tokens(mix(random + 3))) : null
      const cachedTokens = inputTokens === null ? null : random % 5 < 2 ? inputTokens >> 1 : 0
      const isUnpriced = isLlm && random % 211 === 0
      const isPriced = inputTokens !== null && !isUnpriced
      const paidTokens = (inputTokens ?? 0) - 0.75 * (cachedTokens ?? 0)
      const costUsd = isPriced ? paidTokens * model.inputUsd + (outputTokens ?? 0) * model.outputUsd : null

      events.startRow(eventFields)
      events.bytes(workspaceId(workspace))
      events.time(starts[at] ?? 0)
      events.randomBytes(traceSeed, 4)
      events.randomBytes(spanSeed + at * 2, 2)
      if (parent === null) events.nul()
      else events.randomBytes(spanSeed + parent * 2, 2)
      events.bytes(agentId(workspace * 100 + agent))
      textOrNul(kind === 'agent' ? agentName : null)
      textOrNul(agentName)
      events.bytes(session)
      textOrNul(null)
      events.bytes(user)
      textOrNul(kind)
      events.bool(true)
      textOrNul(operations[kind])
      textOrNul(isLlm ? `chat ${model.name}` : `${operations[kind]} ${tool ?? agentName}`)
      textOrNul(isError ? 'error' : 'ok')
      textOrNul(isError ? 'timeout' : null)
      for (const value of [model.provider, model.name, model.name]) textOrNul(isLlm ? value : null)
      if (isLlm) events.bytes(Buffer.from(`chatcmpl-${random}`))
      else events.nul()
      events.bytes(isLlm ? stopped : noTexts)
      textOrNul(tool)
      if (tool === null) events.nul()
      else events.bytes(Buffer.from(`call_${random}`))
      if (tool === null || isServed) events.nul()
      else events.bytes(inputHash(toolAt * inputs + (mix(random + 4) % inputs)))
      events.bool(false)
      events.bool(isServed)
      events.bool(isHoldout)
      events.bytes(noTexts)
      events.bytes(noTexts)
      events.int8(durations[at] ?? 0)
      int8OrNul(inputTokens)
      int8OrNul(outputTokens)
      int8OrNul(cachedTokens)
      float8OrNul(costUsd)
      float8OrNul(isPriced ? 0.75 * (cachedTokens ?? 0) * model.inputUsd : null)
      textOrNul(isPriced ? 'genai-prices' : null)
      events.bytes(isUnpriced ? unpricedFlag : noTexts)
      if (payload === null) {
        events.nul()
        events.nul()
      } else {
        events.randomBytes(payload.seed, 4)
        events.int2(payload.firstNo + at)
      }

      if (tool !== null) tools.add(tool)
      served += Number(isServed)
      holdout += Number(isHoldout)
      errors += Number(isError)
      unpriced += Number(isUnpriced)
      input += inputTokens ?? 0
      output += outputTokens ?? 0
      cached += cachedTokens ?? 0
      cost += costUsd ?? 0
    }

    const root = word(`invoke_agent ${agentNames[facts.agent]}`)
    traces.startRow(traceFields)
    traces.bytes(workspaceId(workspace))
    traces.randomBytes(traceSeed, 4)
    traces.time(facts.startUs)
    traces.time(endUs)
    traces.bool(true)
    traces.bytes(root)
    traces.time(facts.startUs)
    traces.bytes(agentId(workspace * 100 + facts.agent))
    traces.bytes(session)
    traces.bytes(user)
    for (const count of [spansInTrace, 5, 5, served, holdout, errors, input, output, cached, 0]) traces.int8(count)
    traces.float8(cost)
    traces.int8(unpriced)
    traces.bytes(texts(model.name))
    traces.bytes(texts([...tools].sort().join(',')))
    traces.bool(true)
    traces.time(endUs)
    return starts[spansInTrace - 1] ?? 0
  }
}
