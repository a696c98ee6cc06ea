// The current GenAI conventions of OpenTelemetry (gen_ai.*), which most other dialects use in part.
import { asText } from '../attribute.ts'
import type { Dialect } from '../merge/definition.ts'
import { readStandard } from '../messages/opentelemetry-messages.ts'

const scoreName = 'gen_ai.evaluation.score.value'

export const openTelemetry: Dialect = {
  name: 'opentelemetry',
  marks: {
    attributes: [
      'gen_ai.operation.name',
      'gen_ai.provider.name',
      'gen_ai.request.model',
      'gen_ai.response.model',
      'gen_ai.agent.name',
      'gen_ai.tool.name',
      'gen_ai.tool.call.id',
      'gen_ai.usage.input_tokens',
      'gen_ai.usage.output_tokens',
      'gen_ai.input.messages',
      'gen_ai.output.messages',
    ],
  },
  kinds: [
    {
      kinds: {
        chat: 'llm',
        text_completion: 'llm',
        generate_content: 'llm',
        embeddings: 'embedding',
        execute_tool: 'tool',
        invoke_agent: 'agent',
        create_agent: 'agent',
        invoke_workflow: 'chain',
        plan: 'chain',
        handle_conversation_turn: 'chain',
        retrieval: 'retriever',
        fetch_response: 'other',
      },
      guess: (operation) => (operation.includes('_memory') ? 'memory' : null),
      isFinal: true,
    },
  ],
  toolSpans: ['execute_tool '],
  names: {
    toolMarks: ['gen_ai.tool.call.id', 'gen_ai.tool.name', 'gen_ai.tool.call.arguments', 'gen_ai.tool.call.result'],
    retrieverMarks: ['gen_ai.retrieval.query.text', 'gen_ai.retrieval.documents'],
    llmMarks: ['gen_ai.request.model', 'gen_ai.response.model', 'gen_ai.input.messages', 'gen_ai.output.messages'],
    operation: ['gen_ai.operation.name'],
    agent: ['gen_ai.agent.name'],
    workflow: ['gen_ai.workflow.name'],
    fallbackAgent: ['gen_ai.main_agent.name', 'service.name'],
    agentVersion: ['gen_ai.agent.version'],
    resourceVersion: ['gen_ai.main_agent.version'],
    session: ['gen_ai.conversation.id'],
    environment: ['deployment.environment.name'],
    provider: ['gen_ai.provider.name'],
    host: ['server.address'],
    requestModel: ['gen_ai.request.model'],
    responseModel: ['gen_ai.response.model'],
    responseId: ['gen_ai.response.id'],
    finishReasons: ['gen_ai.response.finish_reasons'],
    serviceTier: ['openai.response.service_tier'],
    /** The second name is that of a metric of the standard, which Vercel 7 writes as an attribute of the span. */
    ttftSeconds: ['gen_ai.response.time_to_first_chunk', 'gen_ai.client.operation.time_to_first_chunk'],
    /** This is the name of a metric too. Strands writes it in milliseconds. */
    ttftServerSeconds: ['gen_ai.server.time_to_first_token'],
    inputTokens: ['gen_ai.usage.input_tokens'],
    outputTokens: ['gen_ai.usage.output_tokens'],
    cachedTokens: ['gen_ai.usage.cache_read.input_tokens'],
    cacheWriteTokens: ['gen_ai.usage.cache_write.input_tokens'],
    reasoningTokens: ['gen_ai.usage.reasoning.output_tokens'],
    errorType: ['error.type'],
    score: [scoreName],
    toolName: ['gen_ai.tool.name'],
    toolCallId: ['gen_ai.tool.call.id'],
    toolArguments: ['gen_ai.tool.call.arguments'],
    toolResult: ['gen_ai.tool.call.result'],
  },
  late: {
    resourceVersion: ['service.version'],
    serviceTier: ['openai.request.service_tier'],
  },
  messages: [({ attributes, flags }, way) => readStandard(attributes, way, flags)],
  content: {
    in: [
      'gen_ai.input.messages',
      'gen_ai.input.messages.*',
      'gen_ai.system_instructions',
      'gen_ai.tool.call.arguments',
      'gen_ai.tool.call.arguments.*',
    ],
    out: ['gen_ai.output.messages', 'gen_ai.output.messages.*', 'gen_ai.tool.call.result', 'gen_ai.tool.call.result.*'],
    apart: [
      'gen_ai.tool.definitions',
      'gen_ai.retrieval.documents',
      'gen_ai.retrieval.query.text',
      'gen_ai.evaluation.explanation',
      'gen_ai.prompt.variable.*',
    ],
  },
  reads: {
    scores: {
      on: { events: true },
      read({ span }, add) {
        for (const { name, attributes } of span.events) {
          if (name.startsWith('gen_ai.evaluation')) add(asText(attributes.get(scoreName)))
        }
      },
    },
  },
}
