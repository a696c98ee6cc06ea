import test from 'ava'
import { contentSideOf } from '../../../src/redact/content-attributes.ts'
import { counts, json, read, type SpanGiven } from '../_span.ts'

const scope = 'github.com/cloudwego/eino-ext/callbacks/apmplus'

/** Each component has its input and output as messages, whatever it is. */
const ofComponent = (component: string, more: SpanGiven['attributes'] = {}, name = `${component} node`) =>
  read({
    name,
    scope,
    attributes: {
      'gen_ai.span.kind': component.toLowerCase(),
      'gen_ai.system': 'eino',
      'runinfo.name': name,
      'runinfo.type': '',
      'runinfo.component': component,
      'gen_ai.prompt.0.role': 'user',
      'gen_ai.prompt.0.content': '{"question":"Weather in Paris?"}',
      'gen_ai.completion.0.content': '"Sunny"',
      'gen_ai.is_streaming': false,
      ...more,
    },
  })

test('a component is what it is, not a model call because it has messages', (t) => {
  const kinds = { ChatModel: 'llm', Embedding: 'embedding', Tool: 'tool', Retriever: 'retriever', Agent: 'agent' }
  for (const [component, kind] of Object.entries(kinds)) t.is(ofComponent(component).kind, kind as 'llm', component)
  for (const component of ['Graph', 'Lambda', 'ChatTemplate', 'ToolsNode', 'Workflow', 'Passthrough'])
    t.is(ofComponent(component).kind, 'chain', component)
})

test('the first component of a trace keeps its kind', (t) => {
  const workflow = { 'gen_ai.span.kind': 'workflow' }
  t.is(ofComponent('Graph', workflow).kind, 'chain')
  t.is(ofComponent('ChatModel', workflow).kind, 'llm')
})

test('a call of a model: its counts, its session and user, and no provider', (t) => {
  const event = ofComponent('ChatModel', {
    'gen_ai.session.id': 's1',
    'gen_ai.user.id': 'u1',
    'gen_ai.request.model': 'gpt-4o-mini',
    'gen_ai.usage.prompt_tokens': 2_000,
    'gen_ai.usage.completion_tokens': 100,
    'gen_ai.usage.total_tokens': 2_100,
  })
  t.like(event, { dialect: 'eino', model: 'gpt-4o-mini', provider: null, sessionId: 's1', userId: 'u1' })
  t.deepEqual(counts(event.usage), [2_000, 100, null, null, null])
})

test('the arguments of a tool are JSON in a JSON text, or in a member of an object, and hash as in other dialects', (t) => {
  const given = { city: 'Paris' }
  const known = read({
    attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.call.arguments': json(given) },
  })
  for (const text of [json(json(given)), json({ ArgumentsInJSON: json(given), Extra: null }), json(given)]) {
    const event = ofComponent('Tool', { 'gen_ai.prompt.0.content': text }, 'get_weather')
    t.is(event.toolName, 'get_weather')
    t.is(event.inputHash, known.inputHash, text)
    t.deepEqual(event.content.toolArguments, given)
    t.is(event.content.toolResult, 'Sunny')
    t.not(event.contentHash, null)
  }
})

test('the input and output of the whole graph are content', (t) => {
  t.is(contentSideOf('gen_ai.input'), 'in')
  t.is(contentSideOf('gen_ai.output'), 'out')
})
