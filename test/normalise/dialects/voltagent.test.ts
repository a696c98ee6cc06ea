import test from 'ava'
import { counts, type Plain, read } from '../_span.ts'

const scope = '@voltagent/core'
const entity = { 'entity.type': 'agent', 'entity.name': 'researcher' }

const span = (attributes: { readonly [key: string]: Plain }) =>
  read({ name: 'researcher', scope, attributes: { ...entity, ...attributes } })

test('the span of an agent is the model call: it alone has the usage of all calls of a turn', (t) => {
  const turn = span({
    'ai.model.name': 'gpt-4o-mini',
    'usage.prompt_tokens': 4_010,
    'usage.completion_tokens': 201,
    'usage.total_tokens': 4_211,
    'usage.cached_tokens': 2_048,
    'usage.reasoning_tokens': 64,
    'ai.response.finish_reason': 'stop',
  })
  t.is(turn.kind, 'llm')
  t.is(turn.model, 'gpt-4o-mini')
  t.is(turn.agentOwn, 'researcher')
  t.deepEqual(turn.finishReasons, ['stop'])
  t.deepEqual(counts(turn.usage), [4_010, 201, 2_048, null, 64])
  const last = span({ 'span.type': 'llm', 'llm.model': 'gpt-4o-mini', 'llm.usage.prompt_tokens': 2_010 })
  t.is(last.kind, 'chain')
})

test('of a turn that failed, the span of its calls is the model call', (t) => {
  t.is(span({ 'ai.model.name': 'gpt-4o-mini' }).kind, 'agent')
  const failed = span({ 'span.type': 'llm', 'llm.model': 'gpt-4o-mini' })
  t.is(failed.kind, 'llm')
  t.is(failed.model, 'gpt-4o-mini')
})

test('the input of a tool is what it was given, not its schema', (t) => {
  const tool = (city: string) =>
    span({
      'span.type': 'tool',
      'tool.name': 'get_weather',
      'tool.call.id': 'call_0',
      'tool.parameters': '{"type":"object"}',
      input: `{"city":"${city}"}`,
      output: 'sunny',
    })
  t.is(tool('Paris').kind, 'tool')
  t.is(tool('Paris').toolCallId, 'call_0')
  t.deepEqual(tool('Paris').content.toolArguments, { city: 'Paris' })
  t.not(tool('Paris').inputHash, tool('Rome').inputHash)
})

test('a span of an agent that another one calls is of the called agent', (t) => {
  const called = { 'subagent.name': 'checker', 'entity.name': 'support' }
  t.is(span({ ...called, 'ai.model.name': 'gpt-4o-mini', 'usage.prompt_tokens': 100 }).agentOwn, 'checker')
  t.is(span({ ...called, 'span.type': 'tool', 'tool.name': 'look_up' }).agentOwn, 'checker')
})

test('a scorer that calls a model itself is a model call, and not of the agent that it scores', (t) => {
  const scorer = { 'span.type': 'scorer', 'eval.scorer.name': 'helpfulness', 'entity.name': 'support' }
  const judge = span({
    ...scorer,
    'ai.model.name': 'gpt-4o-mini',
    'usage.prompt_tokens': 300,
    'usage.completion_tokens': 20,
  })
  t.deepEqual([judge.kind, judge.model, judge.agentOwn], ['llm', 'gpt-4o-mini', 'helpfulness'])
  t.deepEqual(counts(judge.usage), [300, 20, null, null, null])
  t.deepEqual([span(scorer).kind, span(scorer).agentOwn], ['other', 'support'])
})

const tokens = { 'usage.prompt_tokens': 300, 'usage.completion_tokens': 20, 'ai.model.name': 'a/model' }

test("OpenRouter's cost is read for a scorer, and for a turn that had a single call", (t) => {
  const cost = { ...tokens, 'usage.cost': 0.004, 'usage.is_byok': false }
  t.is(span({ ...cost, 'span.type': 'scorer', 'eval.scorer.name': 'helpfulness' }).providedCostUsd, 0.004)
  const one = span({ ...cost, 'voltagent.step_count': 1 })
  t.is(one.providedCostUsd, 0.004)
  t.true(one.flags.has('cost_provided'))
  for (const steps of [2, null])
    t.is(span({ ...cost, 'voltagent.step_count': steps }).providedCostUsd, null, `the last call of ${steps}`)
  t.is(span({ ...cost, 'voltagent.step_count': 1, 'usage.cost': 0 }).providedCostUsd, null, 'no price')
  const invalid = span({ ...cost, 'voltagent.step_count': 1, 'usage.cost': -1 })
  t.is(invalid.providedCostUsd, null)
  t.true(invalid.flags.has('usage_invalid'))
})

test('with a key of the sender, what the provider bills is added to the fee of OpenRouter', (t) => {
  const one = { ...tokens, 'voltagent.step_count': 1 }
  const upstream = 'usage.cost_details.upstream_inference_cost'
  t.is(span({ ...one, 'usage.cost': 0.25, 'usage.is_byok': true, [upstream]: 4 }).providedCostUsd, 4.25)
  t.is(span({ ...one, 'usage.cost': 0.25, 'usage.is_byok': false, [upstream]: 0.25 }).providedCostUsd, 0.25)
  const scorer = { ...tokens, 'span.type': 'scorer', 'eval.scorer.name': 'helpfulness' }
  t.is(span({ ...scorer, 'usage.cost': 0.25, [upstream]: 4 }).providedCostUsd, 4.25)
  t.is(span({ ...scorer, 'usage.cost': 0, [upstream]: 4 }).providedCostUsd, 4)
  t.is(span({ ...scorer, 'usage.cost': 4, [upstream]: 4 }).providedCostUsd, 4)
})
