// The dialect of Langtrace, which states the functions of clients as operations.
import type { Dialect } from '../merge/definition.ts'

export const langtrace: Dialect = {
  name: 'langtrace',
  marks: { scopes: ['langtrace*'], attributes: ['langtrace.service.name'] },
  operations: { embed: 'embedding', 'openai.responses.create': 'llm' },
  names: { responseId: ['gen_ai.response_id'] },
}
