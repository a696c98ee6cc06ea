import test from 'ava'
import { type Plain, read } from '../_span.ts'

const span = (operation: string, agent: string, attributes: { readonly [key: string]: Plain }) =>
  read({
    name: `${operation} x`,
    scope: 'copilot-chat',
    attributes: { 'gen_ai.operation.name': operation, 'gen_ai.agent.name': agent, ...attributes },
  })

const chat = (agent: string, attributes: { readonly [key: string]: Plain } = {}) =>
  span('chat', agent, {
    'gen_ai.request.model': 'gpt-5-mini',
    'gen_ai.conversation.id': 'request-1',
    'gen_ai.response.id': 'request-1',
    'copilot_chat.request.max_prompt_tokens': 128_000,
    ...attributes,
  })

test('the session of a model call is the conversation, not the request', (t) => {
  // Later releases state the session as the conversation too.
  const same = { 'gen_ai.conversation.id': 's-1', 'copilot_chat.session_id': 's-1', 'gen_ai.response.id': 'r-1' }
  t.is(chat('agent', same).sessionId, 's-1')
  const ofAgent = { 'copilot_chat.session_id': 's-1', 'copilot_chat.chat_session_id': 'call-1' }
  t.is(chat('panel/editAgent', ofAgent).sessionId, 's-1')
  t.is(chat('panel/editAgent', { ...ofAgent, 'gen_ai.response.id': null }).sessionId, 's-1')
  const ofTitle = { 'copilot_chat.parent_chat_session_id': 's-1', 'copilot_chat.chat_session_id': 't-1' }
  t.is(chat('title', ofTitle).sessionId, 's-1')
  t.is(chat('AnthropicBYOK').sessionId, null)
  t.is(span('invoke_agent', 'agent', { 'gen_ai.conversation.id': 's-1', ...ofAgent }).sessionId, 's-1')
})

test('a request that failed is no session of its own', (t) => {
  for (const agent of ['title', 'GeminiBYOK']) t.is(chat(agent, { 'gen_ai.response.id': null }).sessionId, null, agent)
  for (const operation of ['chat', 'invoke_agent'])
    t.is(
      span(operation, 'agent', { 'gen_ai.conversation.id': 's-1' }).sessionId,
      's-1',
      'without a limit of the prompt',
    )
})

test('the name of a request is no agent', (t) => {
  for (const name of ['AnthropicBYOK', 'GeminiBYOK', 'title', 'retry-panel/editAgent'])
    t.is(chat(name).agentOwn, null, name)
  t.is(span('invoke_agent', 'GitHub Copilot Chat', {}).agentOwn, 'GitHub Copilot Chat')
})
