// Which names are content, by side, over all dialects. The list was written before each dialect had its own file.
import test from 'ava'
import type { ContentNames } from '../../../src/normalise/merge/definition.ts'
import { allDialects } from '../../../src/normalise/registry.ts'
import { contentSideOf } from '../../../src/redact/content-attributes.ts'

const words = (text: string): string[] => text.trim().split(/\s+/)

const sides: Readonly<Record<keyof ContentNames, string>> = {
  in: `
    langfuse.observation.input langfuse.trace.input gen_ai.input.messages gen_ai.system_instructions gen_ai.prompt
    gen_ai.request.messages ai.prompt ai.prompt.messages input.value llm.prompts traceloop.entity.input prompt
    user_prompt gcp.vertex.agent.llm_request mlflow.spanInputs genkit:input gen_ai.system.message
    gen_ai.user.message gen_ai.content.prompt gen_ai.tool.call.arguments gen_ai.tool.args gen_ai.tool.input
    tool.parameters ai.toolCall.args ai.toolCall.input tool_arguments tool_input gcp.vertex.agent.tool_call_args
    mcp.request.argument mcp.request.arguments ai.value ai.values lmnr.span.input request_data
    llm.input_messages.# llm.prompts.# gen_ai.prompt.# mcp.request.argument.* gen_ai.tool.call.arguments.*
    gen_ai.input.messages.*
    agentops.entity.input agentops.session.input agentops.workflow.input agentops.agent.input agentops.task.input
    agentops.operation.input agentops.tool.input
    mistral_ai.tool.call.arguments mistral_ai.function.call.arguments honeyhive_inputs.*
    mastra.agent_run.input mastra.model_generation.input mastra.model_step.input
    mastra.model_inference.input mastra.model_chunk.input mastra.workflow_run.input
    mastra.workflow_step.input mastra.processor_run.input mastra.generic.input
    braintrust.input_json braintrust.input spring.ai.tool.call.arguments
    haystack.agent.input haystack.agent.step.llm.input haystack.agent.step.tool.input haystack.component.input
    haystack.pipeline.input_data netra.user.input data.input LLMChatStartEvent LLMCompletionStartEvent
    EmbeddingStartEvent SparseEmbeddingStartEvent llamaindex.step.input_summary llm.messages agent.messages
    mirascope.response.messages mirascope.trace.arg_values system_instructions gen_ai.input
  `,
  out: `
    langfuse.observation.output langfuse.trace.output gen_ai.output.messages gen_ai.completion
    gen_ai.response.text gen_ai.response.tool_calls ai.response.text ai.response.object ai.response.toolCalls
    ai.response.reasoning ai.response.files output.value llm.completions traceloop.entity.output final_result
    response.model_output gcp.vertex.agent.llm_response mlflow.spanOutputs genkit:output gen_ai.assistant.message
    gen_ai.choice gen_ai.content.completion gen_ai.tool.call.result gen_ai.tool.output gen_ai.tool.message
    ai.toolCall.result ai.toolCall.output tool_response tool.output gcp.vertex.agent.tool_response
    mcp.response.value lmnr.span.output response_data gen_ai.response.reasoning gen_ai.response.object
    llm.output_messages.# llm.completions.# gen_ai.completion.# gen_ai.tool.call.result.* gen_ai.output.messages.*
    ai.result.*
    agentops.entity.output agentops.session.output agentops.workflow.output agentops.agent.output
    agentops.task.output agentops.operation.output agentops.tool.output tool.result
    honeyhive_outputs.*
    mastra.agent_run.output mastra.model_generation.output mastra.model_step.output
    mastra.model_inference.output mastra.model_chunk.output mastra.workflow_run.output
    mastra.workflow_step.output mastra.processor_run.output mastra.generic.output
    braintrust.output_json braintrust.output spring.ai.tool.call.result
    haystack.agent.output haystack.agent.step.llm.output haystack.agent.step.tool.output haystack.component.output
    haystack.pipeline.output_data netra.user.output data.output LLMChatEndEvent LLMCompletionEndEvent
    step.output workflow.output mirascope.response.content mirascope.trace.output gen_ai.output
    anthropic.tool_result.content
  `,
  both: `
    pydantic_ai.all_messages all_messages all_messages_events events gcp.vertex.agent.data
  `,
  apart: `
    content message tool_calls arguments completion gen_ai.event.content gen_ai.tool.definitions
    gen_ai.retrieval.documents gen_ai.retrieval.query.text reranker.query embedding.text
    llm.prompt_template.template llm.prompt_template.variables gen_ai.evaluation.explanation
    gen_ai.request.available_tools ai.prompt.tools tools model_request_parameters ai.embedding ai.embeddings
    mlflow.chat.tools mlflow.chunk.value gen_ai.prompt.variable.* llm.prompt_template.variables.* llm.tools.*
    llm.request.functions.* retrieval.documents.* reranker.input_documents.* reranker.output_documents.*
    embedding.embeddings.* lk.* braintrust.expected braintrust.expected_json
    spring.ai.tool.definition.schema spring.ai.tool.definition.description haystack.agent.tools haystack.tool.description
    mirascope.trace.metadata
  `,
}

const allSides = Object.keys(sides) as (keyof ContentNames)[]

test('each side has the names that it always had', (t) => {
  for (const side of allSides) {
    const found = new Set(allDialects.flatMap(({ content }) => content?.[side] ?? []))
    t.deepEqual([...found].toSorted(), words(sides[side]).toSorted(), side)
  }
})

test('a name belongs to its side, an index or a key behind it as well', (t) => {
  for (const side of allSides) {
    for (const name of words(sides[side])) {
      const given = name.replace(/\.#$/, '.7').replace(/\.\*$/, '.key')
      t.is(contentSideOf(given), side, given)
      if (given !== name) t.is(contentSideOf(`${given}.below`), side, given)
      if (name.endsWith('.#')) t.is(contentSideOf(name.replace(/#$/, 'key')), null, name)
    }
  }
})

test('what a tool was given and gave is content under every name', (t) => {
  for (const { names, late } of allDialects) {
    for (const fields of [names, late]) {
      for (const name of [...(fields?.toolArguments ?? []), ...(fields?.toolResult ?? [])]) {
        t.not(contentSideOf(name), null, name)
      }
    }
  }
})
