import test from 'ava'
import { counts, json, read, start } from './_span.ts'

const call = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-4o-mini',
}
const request = {
  ...call,
  'logfire.span_type': 'span',
  'logfire.msg_template': 'Chat Completion with {request_data[model]!r}',
}
const answer = {
  ...call,
  'logfire.span_type': 'log',
  'logfire.msg_template': 'streaming response from {request_data[model]!r} took {duration:.2f}s',
  duration: 0.74,
  'gen_ai.usage.input_tokens': 2_020,
  'gen_ai.usage.output_tokens': 102,
  'gen_ai.usage.raw': json({
    prompt_tokens: 2_020,
    completion_tokens: 102,
    prompt_tokens_details: { cached_tokens: 1_024 },
  }),
}
const scope = 'logfire.openai'

test('a streamed call is the span that was written at its end, and lasted until then', (t) => {
  t.is(read({ scope, attributes: request }).kind, 'chain')
  const event = read({ scope, attributes: answer, start, end: start })
  t.is(event.kind, 'llm')
  t.is(event.durationUs, 740_000)
  t.is(event.startTimeUnixNano, start - 740_000_000n)
  t.deepEqual(counts(event.usage), [2_020, 102, 1_024, null, null])
})

test('a call that answered at once or failed is a call', (t) => {
  t.is(read({ scope, attributes: { ...request, 'gen_ai.response.id': 'chatcmpl-1' } }).kind, 'llm')
  t.is(read({ scope, attributes: request, statusCode: 2 }).kind, 'llm')
})

test('spans of other scopes, other logs and a duration that cannot be are left alone', (t) => {
  t.is(read({ scope: 'my-app', attributes: request }).kind, 'llm')
  for (const other of [
    { scope: 'my-app', attributes: answer },
    { scope, attributes: { ...answer, 'logfire.msg_template': 'took {duration}' } },
  ])
    t.is(read({ ...other, start, end: start }).startTimeUnixNano, start)
  for (const duration of [-1, 1e9, 'soon'])
    t.is(read({ scope, attributes: { ...answer, duration }, start, end: start }).durationUs, 0)
})

const readAgents = (template: string, attributes: Readonly<Record<string, string>>) =>
  read({
    name: template,
    scope: 'logfire.openai_agents',
    attributes: { 'logfire.span_type': 'span', 'logfire.msg_template': template, ...attributes },
  })

test('Agents SDK of OpenAI: a function is a tool', (t) => {
  const event = readAgents('Function: {name}', { name: 'get_weather', input: '{"city": "Paris"}', output: 'sunny' })
  t.is(event.kind, 'tool')
  t.is(event.toolName, 'get_weather')
  t.deepEqual(event.content.toolArguments, { city: 'Paris' })
  t.is(event.content.toolResult, 'sunny')
  t.not(event.inputHash, null)
  t.not(event.contentHash, null)
})

test('Agents SDK of OpenAI: the model asks for a handoff as for a tool', (t) => {
  const event = readAgents('Handoff: {from_agent} → {to_agent}', { from_agent: 'supervisor', to_agent: 'researcher' })
  t.is(event.kind, 'tool')
  t.is(event.toolName, 'handoff to researcher')
})

test('Agents SDK of OpenAI: a run names its agent', (t) => {
  const event = readAgents('Agent run: {name!r}', { name: 'supervisor' })
  t.is(event.kind, 'agent')
  t.is(event.agentOwn, 'supervisor')
  t.is(read({ scope: 'logfire.openai', attributes: { name: 'supervisor' } }).agentOwn, null)
})

test('older releases of Logfire keep the usage in the response alone', (t) => {
  const { 'gen_ai.usage.raw': raw, 'gen_ai.usage.input_tokens': _, 'gen_ai.usage.output_tokens': __, ...older } = answer
  const event = read({
    scope,
    attributes: { ...older, response_data: `{"message":{"content":"Sunny"},"usage":${raw}}` },
  })
  t.is(event.kind, 'llm')
  t.deepEqual(counts(event.usage), [2_020, 102, 1_024, null, null])
})

test('Agent SDK of Claude: the span of the agent tells the usage of a turn, that of a call a part of its own', (t) => {
  const tell = (scope: string, attributes: Record<string, string | number>) =>
    read({ scope, attributes: { 'gen_ai.request.model': 'claude-sonnet-4-5', ...attributes } })
  const agent = { 'gen_ai.operation.name': 'invoke_agent' }
  const usage = { 'gen_ai.usage.input_tokens': 8_701, 'gen_ai.usage.output_tokens': 241 }
  const turn = tell('logfire.claude_agent_sdk', { ...agent, ...usage })
  t.is(turn.kind, 'llm')
  t.deepEqual(counts(turn.usage), [8_701, 241, null, null, null])
  const call = tell('logfire.claude_agent_sdk', {
    'gen_ai.operation.name': 'chat',
    'gen_ai.usage.partial.input_tokens': 3_000,
    'gen_ai.usage.partial.output_tokens': 1,
  })
  t.deepEqual([call.kind, call.usage.inputTokens], ['llm', null])
  t.is(tell('logfire.claude_agent_sdk', agent).kind, 'agent', 'without usage')
  t.is(tell('pydantic-ai', { ...agent, ...usage }).kind, 'agent', 'others repeat the usage of the calls inside')
})

test('the group of a trace of OpenAI Agents is its session, and its absence is none', (t) => {
  const session = (group: string, of = 'logfire.openai_agents') =>
    read({ name: 'OpenAI Agents trace: {name}', scope: of, attributes: { group_id: group } }).sessionId
  t.is(session('session-1'), 'session-1')
  t.is(session('null'), null)
  t.is(session('session-1', 'an_application'), null)
})

test('Pydantic AI names the reasoning as each provider does', (t) => {
  const usageOf = (detail: string) =>
    counts(
      read({
        name: 'chat gemini-2.5-flash',
        scope: 'pydantic-ai',
        attributes: {
          ...call,
          'gen_ai.usage.input_tokens': 1_000,
          'gen_ai.usage.output_tokens': 400,
          [`gen_ai.usage.details.${detail}`]: 300,
        },
      }).usage,
    )
  t.deepEqual(usageOf('thoughts_tokens'), [1_000, 400, null, null, 300])
  t.deepEqual(usageOf('thinking_tokens'), [1_000, 400, null, null, 300])
  t.deepEqual(usageOf('reasoning_tokens'), [1_000, 400, null, null, 300])
})

test("Logfire's thoughts of Gemini are beside the output count of OpenTelemetry's instrumentation", (t) => {
  const event = (more: Record<string, number>) =>
    read({
      name: 'generate_content gemini-2.5-flash',
      scope: 'opentelemetry.instrumentation.google_genai',
      attributes: {
        ...call,
        'gen_ai.operation.name': 'generate_content',
        'gen_ai.usage.input_tokens': 1_000,
        'gen_ai.usage.output_tokens': 200,
        'gen_ai.usage.details.thoughts_tokens': 80,
        ...more,
      },
    })
  const beside = event({})
  t.deepEqual(counts(beside.usage), [1_000, 280, null, null, 80])
  t.true(beside.flags.has('usage_adjusted'))
  t.deepEqual(counts(event({ 'gen_ai.usage.output_tokens': 13, 'gen_ai.usage.details.thoughts_tokens': 58 }).usage), [
    1_000,
    71,
    null,
    null,
    58,
  ])
  t.deepEqual(counts(event({ 'gen_ai.usage.reasoning.output_tokens': 80 }).usage), [1_000, 200, null, null, 80])
})
