// The dialect of LangSmith.
import { anyOf } from '../../event/names.ts'
import type { Dialect } from '../merge/definition.ts'
import { fillFromDetails, fillFromLangChain } from './langchain.ts'

const inputDetailNames = anyOf('gen_ai.usage.input_token_details')
const outputDetailNames = anyOf('gen_ai.usage.output_token_details')
const usageNames = anyOf('langsmith.metadata.usage_metadata')

export const langSmith: Dialect = {
  name: 'langsmith',
  marks: { scopes: ['langsmith*'], attributes: ['langsmith.span.kind', 'langsmith.trace.session_id'] },
  kinds: [
    {
      attribute: 'langsmith.span.kind',
      kinds: {
        llm: 'llm',
        embedding: 'embedding',
        chain: 'chain',
        tool: 'tool',
        retriever: 'retriever',
        prompt: 'other',
        parser: 'other',
      },
    },
  ],
  names: {
    contextAgent: ['langsmith.metadata.lc_agent_name'],
    session: [
      'langsmith.trace.session_id',
      // The keys of the metadata that LangSmith itself treats as the id of a thread.
      'langsmith.metadata.session_id',
      'langsmith.metadata.thread_id',
      'langsmith.metadata.conversation_id',
    ],
    provider: ['langsmith.metadata.ls_provider'],
    requestModel: ['langsmith.metadata.ls_model_name'],
    totalTokens: ['gen_ai.usage.total_tokens'],
    toolArguments: ['gen_ai.prompt'],
    toolResult: ['gen_ai.completion'],
  },
  late: { user: ['langsmith.metadata.user_id'] },
  reads: {
    usage: {
      on: { attributes: [...inputDetailNames.all, ...outputDetailNames.all] },
      read: (reading, told) =>
        fillFromDetails(reading.object(inputDetailNames), reading.object(outputDetailNames), told, reading.flags),
    },
    callUsage: {
      on: { attributes: usageNames.all },
      read(reading, told) {
        const usage = reading.object(usageNames)
        if (usage !== null) fillFromLangChain(usage, told, reading.flags)
      },
    },
  },
}
