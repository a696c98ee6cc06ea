import test from 'ava'
import { contentSideOf, isContentAttribute } from '../../src/redact/content-attributes.ts'

test('every content-bearing name of every dialect is known, with its side', (t) => {
  const sides = {
    in: `langfuse.observation.input gen_ai.input.messages gen_ai.system_instructions ai.prompt.messages ai.prompt
      llm.input_messages.0.message.content input.value gen_ai.prompt.12.content gen_ai.prompt traceloop.entity.input
      prompt gcp.vertex.agent.llm_request mlflow.spanInputs genkit:input gen_ai.tool.call.arguments gen_ai.tool.args
      tool.parameters ai.toolCall.args tool_arguments gcp.vertex.agent.tool_call_args tool_input mcp.request.argument`,
    out: `langfuse.observation.output gen_ai.output.messages ai.response.text ai.response.toolCalls ai.response.object
      ai.result.text llm.output_messages.3.message.content output.value gen_ai.completion.0.content traceloop.entity.output
      final_result gcp.vertex.agent.llm_response response.model_output gen_ai.tool.call.result ai.toolCall.result
      tool_response gcp.vertex.agent.tool_response tool.output mcp.response.value gen_ai.choice gen_ai.content.completion`,
    both: 'pydantic_ai.all_messages all_messages_events events',
    apart:
      'retrieval.documents.0.document.content gen_ai.retrieval.query.text gen_ai.prompt.variable.name lk.user_input mlflow.chunk.value',
  }
  for (const [side, names] of Object.entries(sides))
    for (const name of names.split(/\s+/)) t.is(contentSideOf(name), side as 'in', name)
})

test('metadata is no content', (t) => {
  for (const name of `gen_ai.request.model gen_ai.usage.input_tokens gen_ai.prompt.name gen_ai.prompt.version
    llm.token_count.prompt tool.name gen_ai.tool.name session.id user.id service.name tracewright.tool.input_hash
    gen_ai.response.id ai.response.finishReason ai.prompts gen_ai.completion_tokens __proto__`.split(/\s+/))
    t.false(isContentAttribute(name), name)
})
