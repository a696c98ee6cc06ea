// The dialect of vLLM, a server of models, which reports the requests that it answers. It does not name the model, but its measures.
import type { Dialect } from '../../merge/definition.ts'

const measure = 'gen_ai.latency.e2e'

export const vllm: Dialect = {
  name: 'vllm',
  marks: { scopes: ['vllm*'], attributes: [measure] },
  names: {
    llmMarks: [measure],
    ttftServerSeconds: ['gen_ai.latency.time_to_first_token'],
  },
  /** The id of the request is that of the response. */
  own: { responseId: ['gen_ai.request.id'] },
}
