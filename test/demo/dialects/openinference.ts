// Spans as OpenInference's instrumentations write them: flat messages and their own token counts.
import type { Attributes, CallTold, Dialect } from '../telling.ts'

function messages({ question, answer, consumed = [], wants = [] }: CallTold, failed: boolean): Attributes {
  const input = ['llm.input_messages.0.message', 'llm.output_messages.0.message'] as const
  const flat: { [key: string]: string } = { [`${input[0]}.role`]: 'user', [`${input[0]}.content`]: question }
  for (const [at, { id, result }] of consumed.entries()) {
    const prefix = `llm.input_messages.${at + 1}.message`
    flat[`${prefix}.role`] = 'tool'
    flat[`${prefix}.tool_call_id`] = id
    flat[`${prefix}.content`] = JSON.stringify(result)
  }
  if (failed) return flat
  flat[`${input[1]}.role`] = 'assistant'
  if (answer !== '') flat[`${input[1]}.content`] = answer
  for (const [at, { id, name, arguments: given }] of wants.entries()) {
    const prefix = `${input[1]}.tool_calls.${at}.tool_call`
    flat[`${prefix}.id`] = id
    flat[`${prefix}.function.name`] = name
    flat[`${prefix}.function.arguments`] = JSON.stringify(given)
  }
  return flat
}

export const openInference: Dialect = {
  scope: { name: '@arizeai/openinference-instrumentation-anthropic', version: '0.2.8' },
  agent: ({ name, session, user, task }) => ({
    name,
    attributes: {
      'openinference.span.kind': 'AGENT',
      'agent.name': name,
      'session.id': session,
      'user.id': user,
      metadata: JSON.stringify({ task }),
    },
  }),
  call: (told, _responseId, _ttftMs, failed) => ({
    name: 'Anthropic Messages',
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.system': told.model.provider,
      'llm.provider': told.model.provider,
      'llm.model_name': failed ? told.model.asked : told.model.answered,
      ...messages(told, failed),
      ...(failed
        ? {}
        : {
            'llm.finish_reason': (told.wants ?? []).length > 0 ? 'tool_use' : 'end_turn',
            'llm.token_count.prompt': told.input,
            'llm.token_count.completion': told.output,
            'llm.token_count.total': told.input + told.output,
            'llm.token_count.prompt_details.cache_read': told.cached ?? 0,
            'llm.token_count.prompt_details.cache_write': told.cacheWrite ?? 0,
          }),
    },
  }),
  tool: ({ id, name, arguments: given, result }, failed) => ({
    name,
    attributes: {
      'openinference.span.kind': 'TOOL',
      'tool.name': name,
      'tool.id': id,
      'input.value': JSON.stringify(given),
      'input.mime_type': 'application/json',
      ...(failed ? {} : { 'output.value': JSON.stringify(result), 'output.mime_type': 'application/json' }),
    },
  }),
  embedding: (model, text, tokens) => ({
    name: 'Embeddings',
    attributes: {
      'openinference.span.kind': 'EMBEDDING',
      'llm.system': model.provider,
      'embedding.model_name': model.asked,
      'embedding.embeddings.0.embedding.text': text,
      'llm.token_count.prompt': tokens,
    },
  }),
  retrieval: ({ source, query, documents }) => ({
    name: source,
    attributes: {
      'openinference.span.kind': 'RETRIEVER',
      'input.value': query,
      ...Object.fromEntries(documents.map((id, at) => [`retrieval.documents.${at}.document.id`, id])),
    },
  }),
}
