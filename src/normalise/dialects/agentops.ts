// The dialect of AgentOps.
import type { Dialect } from '../merge/definition.ts'

/** The kinds of code that its decorators wrap. Each has separate names for its input and output. */
const entities = ['entity', 'session', 'workflow', 'agent', 'task', 'operation', 'tool']

export const agentOps: Dialect = {
  name: 'agentops',
  marks: { scopes: ['agentops*'], attributes: ['agentops.span.kind', 'gen_ai.request.type'] },
  kinds: [
    {
      attribute: 'agentops.span.kind',
      kinds: {
        agent: 'agent',
        tool: 'tool',
        llm: 'llm',
        session: 'chain',
        workflow: 'chain',
        task: 'chain',
        operation: 'chain',
        chain: 'chain',
        guardrail: 'guardrail',
      },
    },
    { attribute: 'gen_ai.request.type', kinds: { chat: 'llm', completion: 'llm', embedding: 'embedding' } },
  ],
  names: {
    impliedOperation: ['gen_ai.request.type'],
    ttftSeconds: ['gen_ai.streaming.time_to_first_token'],
    toolArguments: ['agentops.tool.input'],
    toolResult: ['agentops.tool.output', 'tool.result'],
  },
  own: { toolName: ['operation.name'], toolArguments: ['tool.parameters'] },
  content: {
    in: entities.map((entity) => `agentops.${entity}.input`),
    out: [...entities.map((entity) => `agentops.${entity}.output`), 'tool.result'],
  },
}
