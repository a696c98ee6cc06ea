// The order in which the names of all dialects are looked up, field by field, as it was before each dialect had its own file. A change of
// it changes the meaning of spans that have two of the names.
import { readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import type { Dialect, ReadsByName, TextRead } from '../../../src/normalise/merge/definition.ts'
import type { TextField } from '../../../src/normalise/merge/fields.ts'
import { orders } from '../../../src/normalise/merge/orders.ts'
import { allDialects, mergedDialects } from '../../../src/normalise/registry.ts'

const words = (text: string): string[] => text.trim().split(/\s+/)

const names: Readonly<Record<string, string>> = {
  session: `
    langfuse.session.id
    session.id
    copilot_chat.session_id
    copilot_chat.parent_chat_session_id
    gen_ai.conversation.id
    langsmith.trace.session_id
    langsmith.metadata.session_id
    langsmith.metadata.thread_id
    langsmith.metadata.conversation_id
    traceloop.association.properties.session_id
    traceloop.association.properties.thread_id
    lmnr.association.properties.session_id
    ai.telemetry.metadata.sessionId
    ai.telemetry.metadata.session_id
    ai.settings.context.sessionId
    ai.settings.context.session_id
    genkit:sessionId
    genkit:metadata:agent:sessionId
    mastra.metadata.sessionId
    spring.ai.chat.client.conversation.id
    netra.session_id
    langfuse.observation.metadata.langfuse_session_id
    langfuse.trace.metadata.langfuse_session_id
    wandb.thread_id
    mlflow.trace.session
    gcp.vertex.agent.session_id
    adk.agent.session_id
    thread_id
    honeyhive.session_id
    conversation.id
    gen_ai.session.id
    gen_ai.thread.id
  `,
  resourceSession: `
    langfuse.session.id
    session.id
  `,
  resourceUser: `
    user.id
    langfuse.user.id
    enduser.id
  `,
  agentVersion: `
    gen_ai.agent.version
    traceloop.entity.version
    langfuse.version
  `,
  resourceVersion: `
    gen_ai.main_agent.version
    langfuse.version
    service.version
  `,
  fallbackAgent: `
    gen_ai.main_agent.name
    service.name
  `,
  taskType: `
    tracewright.task_type
  `,
  environment: `
    langfuse.environment
    deployment.environment.name
    deployment.environment
    gen_ai.environment
  `,
  host: `
    server.address
  `,
  requestModel: `
    gen_ai.request.model
    llm.request.model_name
    llm.model_name
    embedding.model_name
    ai.model.id
    aisdk.model.id
    langfuse.observation.model.name
    llm.request.model
    gen_ai.request_model
    langsmith.metadata.ls_model_name
    mlflow.llm.model
    braintrust.metadata.model
  `,
  responseModel: `
    litellm.provider.model
    gen_ai.response.model
    llm.response.model_name
    ai.response.model
    langfuse.observation.model.name
    llm.response.model
    gen_ai.response_model
  `,
  modelParameters: `
    llm.invocation_parameters
    embedding.invocation_parameters
    gen_ai.request.parameters
  `,
  finishReasons: `
    gen_ai.response.finish_reasons
    gen_ai.response.finish_reason
    llm.finish_reason
    ai.response.finishReason
    llm.response.finish_reason
    llm.response.stop_reason
    gen_ai.finishReason
    anthropic.message.stop_reason
    gen_ai.completion.0.finish_reason
  `,
  batch: `
    gen_ai.request.batch
  `,
  ttftSeconds: `
    gen_ai.response.time_to_first_chunk
    gen_ai.client.operation.time_to_first_chunk
    gen_ai.streaming.time_to_first_token
    braintrust.metrics.time_to_first_token
    metrics.ttfb
  `,
  ttftMs: `
    ai.response.msToFirstChunk
    ai.stream.msToFirstChunk
    ttft_ms
  `,
  ttftServerSeconds: `
    gen_ai.server.time_to_first_token
    gen_ai.latency.time_to_first_token
  `,
  completionStart: `
    langfuse.observation.completion_start_time
    mastra.completion_start_time
  `,
  inputTokens: `
    gen_ai.usage.input_tokens
    gen_ai.usage.prompt_tokens
    llm.token_count.prompt
    ai.usage.inputTokens
    ai.usage.promptTokens
    llm.usage.prompt_tokens
    braintrust.metrics.prompt_tokens
  `,
  outputTokens: `
    gen_ai.usage.output_tokens
    gen_ai.usage.completion_tokens
    llm.token_count.completion
    ai.usage.outputTokens
    ai.usage.completionTokens
    llm.usage.completion_tokens
    braintrust.metrics.completion_tokens
  `,
  totalTokens: `
    gen_ai.usage.total_tokens
    llm.usage.total_tokens
    llm.token_count.total
    ai.usage.totalTokens
    braintrust.metrics.tokens
    ag2.usage.total_tokens
    codex.usage.total_tokens
  `,
  cachedTokens: `
    gen_ai.usage.cache_read.input_tokens
    gen_ai.usage.cache_read_input_tokens
    gen_ai.usage.cache_read_tokens
    gen_ai.usage.details.cache_read_tokens
    gen_ai.usage.details.cache_read_input_tokens
    gen_ai.usage.input_tokens.cached
    gen_ai.usage.cached_input_tokens
    gen_ai.usage.input_cached_tokens
    llm.token_count.prompt_details.cache_read
    llm.token_count.prompt_details.cache_input
    ai.usage.inputTokenDetails.cacheReadTokens
    ai.usage.cachedInputTokens
    braintrust.metrics.prompt_cached_tokens
    metadata.usage.cached_prompt_tokens
  `,
  cacheWriteTokens: `
    gen_ai.usage.cache_write.input_tokens
    gen_ai.usage.cache_creation.input_tokens
    gen_ai.usage.cache_creation_input_tokens
    gen_ai.usage.cache_write_input_tokens
    gen_ai.usage.cache_write_tokens
    gen_ai.usage.details.cache_write_tokens
    gen_ai.usage.details.cache_creation_input_tokens
    gen_ai.usage.input_tokens.cache_write
    llm.token_count.prompt_details.cache_write
    ai.usage.inputTokenDetails.cacheWriteTokens
    braintrust.metrics.prompt_cache_creation_tokens
    metadata.usage.cached_creation_tokens
  `,
  cacheWrite5mTokens: `
    gen_ai.usage.cache_creation.input_tokens.ephemeral_5m
    gen_ai.usage.cache_creation.5m_input_tokens
    braintrust.metrics.prompt_cache_creation_5m_tokens
    anthropic.usage.cache_creation.ephemeral_5m_input_tokens
  `,
  cacheWrite1hTokens: `
    gen_ai.usage.cache_creation.input_tokens.ephemeral_1h
    gen_ai.usage.cache_creation.1h_input_tokens
    braintrust.metrics.prompt_cache_creation_1h_tokens
    anthropic.usage.cache_creation.ephemeral_1h_input_tokens
  `,
  reasoningTokens: `
    gen_ai.usage.reasoning.output_tokens
    gen_ai.usage.reasoning_tokens
    gen_ai.usage.details.reasoning_tokens
    gen_ai.usage.details.thoughts_tokens
    gen_ai.usage.details.thinking_tokens
    gen_ai.usage.output_tokens.reasoning
    llm.token_count.completion_details.reasoning
    ai.usage.outputTokenDetails.reasoningTokens
    ai.usage.reasoningTokens
    gen_ai.usage.experimental.reasoning_tokens
    llm.usage.reasoning_tokens
    braintrust.metrics.completion_reasoning_tokens
    gen_ai.usage.thinking_tokens
    codex.usage.reasoning_output_tokens
  `,
  embeddingTokens: `
    ai.usage.tokens
  `,
  cost: `
    gen_ai.usage.cost
    gen_ai.usage.total_cost
    llm.cost.total
    operation.cost
    gen_ai.cost.total_cost
    litellm.cost.total
  `,
  inputCost: `
    gen_ai.usage.input_cost
  `,
  outputCost: `
    gen_ai.usage.output_cost
  `,
  costDetails: `
    langfuse.observation.cost_details
    mlflow.llm.cost
  `,
  errorType: `
    error.type
    mistral_ai.error.type
    gen_ai.tool.error.type
  `,
  errorMessage: `
    langfuse.observation.status_message
    mistral_ai.error.message
  `,
  score: `
    gen_ai.evaluation.score.value
  `,
  toolCallId: `
    gen_ai.tool.call.id
    tool.id
    tool_call.id
    tool.call_id
    ai.toolCall.id
    tool_use_id
    lk.function_tool.id
    spring.ai.tool.call.id
  `,
  readOnly: `
    tracewright.tool.read_only
    mcp.tool.read_only
  `,
  toolArguments: `
    gen_ai.tool.call.arguments
    gen_ai.tool.args
    gen_ai.tool.input
    input.value
    ai.toolCall.args
    tool_arguments
    traceloop.entity.input
    gcp.vertex.agent.tool_call_args
    tool_input
    mcp.request.argument
    langfuse.observation.input
    lk.function_tool.arguments
    lmnr.span.input
    mlflow.spanInputs
    genkit:input
    gen_ai.prompt
    agentops.tool.input
    braintrust.input_json
    braintrust.input
    spring.ai.tool.call.arguments
    haystack.agent.step.tool.input
  `,
  toolResult: `
    gen_ai.tool.call.result
    gen_ai.tool.output
    output.value
    ai.toolCall.result
    tool_response
    traceloop.entity.output
    gcp.vertex.agent.tool_response
    mcp.response.value
    langfuse.observation.output
    lk.function_tool.output
    lmnr.span.output
    mlflow.spanOutputs
    genkit:output
    gen_ai.completion
    agentops.tool.output
    tool.result
    braintrust.output_json
    braintrust.output
    spring.ai.tool.call.result
    haystack.agent.step.tool.output
    anthropic.tool_result.content
  `,
}

const marks = {
  toolMarks: `
    gen_ai.tool.call.id
    gen_ai.tool.name
    gen_ai.tool.call.name
    gen_ai.tool.call.arguments
    gen_ai.tool.call.result
    tracewright.tool.input_hash
    tracewright.tool.ciphertext
    tracewright.tool.served
    gcp.vertex.agent.tool_call_args
    lk.function_tool.name
  `,
  retrieverMarks: `
    gen_ai.retrieval.query.text
    gen_ai.retrieval.documents
  `,
  agentMarks: '',
  llmMarks: `
    gen_ai.request.model
    gen_ai.response.model
    gen_ai.input.messages
    gen_ai.output.messages
    llm.model_name
    llm.request.model_name
    llm.response.model_name
    gen_ai.prompt.0.content
    gen_ai.completion.0.content
    braintrust.metrics.prompt_tokens
    braintrust.metrics.completion_tokens
    gen_ai.latency.e2e
  `,
  toolRequestMarks: `
    ai.response.toolCalls
    ai.result.toolCalls
    gen_ai.response.tool_calls
    llm.output_messages.0.message.tool_calls.0.tool_call.function.name
    llm.output_messages.1.message.tool_calls.0.tool_call.function.name
    gen_ai.completion.0.tool_calls.0.name
    gen_ai.completion.0.function_call.name
    llm.completions.0.tool_calls.0.name
    gen_ai.output.messages.0.message.tool_calls.0.tool_call.function.name
    gen_ai.output.messages.1.message.tool_calls.0.tool_call.function.name
  `,
}

test('each field asks for its names in the order that it always had', (t) => {
  for (const [field, expected] of Object.entries(names)) {
    t.deepEqual(mergedDialects.names[field as 'session'].all, words(expected), field)
  }
  // Only their presence is checked, so the order does not matter.
  for (const [field, expected] of Object.entries(marks)) {
    const found = mergedDialects.names[field as 'toolMarks'].all
    t.deepEqual(found.toSorted(), words(expected).filter(Boolean).toSorted(), field)
  }
  t.deepEqual(Object.keys(mergedDialects.names).toSorted(), [...Object.keys(names), ...Object.keys(marks)].toSorted())
})

/** One step a line: names that share one look-up, or the dialect whose function is called. Before a colon: only on its spans. */
const texts: Readonly<Record<TextField, readonly string[]>> = {
  operation: ['gen_ai.operation.name', '(sentry)'],
  impliedOperation: ['(vercel)', 'llm.request.type gen_ai.request.type', 'genkit: (genkit)'],
  agent: [
    'gen_ai.agent.name agent.name adk.agent.name netra.agent.name embabel.agent.name',
    'pydantic: agent_name',
    'pydantic: (pydantic)',
    'voltagent: (voltagent)',
    'voltagent: subagent.name entity.name',
  ],
  contextAgent: [
    '(openinference)',
    '(openinference)',
    '(traceloop)',
    'ai.telemetry.functionId langsmith.metadata.lc_agent_name',
    'langchain: (langchain)',
    'langchain: traceloop.association.properties.lc_agent_name',
    'claude-code: (claude-code)',
    'langfuse: (langfuse)',
    'mlflow: (mlflow)',
    'genkit: (genkit)',
    'mastra: agent.id',
    'haystack: (haystack)',
    'monocle: (monocle)',
  ],
  workflow: ['traceloop.workflow.name gen_ai.workflow.name netra.workflow.name', 'genkit: (genkit)'],
  user: [
    [
      'user.id',
      'langfuse.user.id',
      'enduser.id',
      'traceloop.association.properties.user_id',
      'lmnr.association.properties.user_id',
      'ai.telemetry.metadata.userId',
      'ai.settings.context.userId',
      'ai.settings.context.user_id',
      'mastra.metadata.userId',
      'mastra.metadata.resourceId',
      'netra.user_id',
      'llm.user',
      'langsmith.metadata.user_id',
      'mlflow.trace.user',
      'metadata.user_api_key_end_user_id',
      'litellm.end_user.id',
      'gen_ai.user.id',
    ].join(' '),
    'langchain: (langchain)',
  ],
  provider: [
    'gen_ai.provider.name gen_ai.system llm.provider llm.system',
    '(vercel)',
    'traceloop.association.properties.ls_provider llm.vendor langsmith.metadata.ls_provider braintrust.metadata.provider',
    'litellm: (litellm)',
    'litellm: (litellm)',
    'langfuse: (langfuse)',
    'mlflow: (mlflow)',
    'genkit: (genkit)',
    'langchain: (langchain)',
    'monocle: (monocle)',
    'mirascope: mirascope.response.provider_id',
  ],
  responseId: [
    'gen_ai.response.id ai.response.id gen_ai.response_id',
    '(openinference)',
    'litellm: (litellm)',
    'mlflow: (mlflow)',
    'braintrust: (braintrust)',
    'haystack: (haystack)',
    'llama-index: (llama-index)',
    'vllm: gen_ai.request.id',
    'azure-ai: (azure-ai)',
  ],
  serviceTier: [
    [
      'openai.response.service_tier',
      'gen_ai.openai.response.service_tier',
      'gen_ai.response.service_tier',
      'anthropic.response.service_tier',
      'openai.request.service_tier',
      'gen_ai.openai.request.service_tier',
      'gen_ai.request.service_tier',
      'anthropic.request.service_tier',
    ].join(' '),
    '(vercel)',
  ],
  toolName: [
    'gen_ai.tool.name tool.name ai.toolCall.name',
    '(traceloop)',
    'lk.function_tool.name tool_name mlflow.spanFunctionName spring.ai.tool.definition.name haystack.tool.name',
    'openinference: (openinference)',
    'pydantic: (pydantic)',
    'openai-agents: (openai-agents)',
    'mlflow: (mlflow)',
    'langchain: (langchain)',
    'agentops: operation.name',
    'braintrust: braintrust.span_attributes.name',
    'llama-index: (llama-index)',
    'monocle: (monocle)',
  ],
}

const ownerOf = (field: TextField, read: TextRead): string | undefined =>
  allDialects.find((dialect) =>
    [dialect.names, dialect.late, dialect.own].some((given) => given?.[field]?.includes(read)),
  )?.name

test('functions stand between the names where they always stood', (t) => {
  for (const [field, expected] of Object.entries(texts)) {
    const { names: first, more } = mergedDialects.texts[field as TextField]
    const steps = first === null ? more : [{ of: null, names: first, read: null }, ...more]
    const found = steps.map(({ of, names: asked, read }) => {
      const text = asked === null ? `(${ownerOf(field as TextField, read)})` : asked.all.join(' ')
      return of === null ? text : `${of}: ${text}`
    })
    t.deepEqual(found, expected, field)
  }
})

test('names of one dialect alone, and names without a namespace', (t) => {
  const own = Object.entries(mergedDialects.own).flatMap(([field, steps]) =>
    steps.map(({ of, names: asked }) => `${of} ${field}: ${asked.all.join(' ')}`),
  )
  t.deepEqual(own, [
    'pydantic session: group_id',
    'mirascope session: mirascope.ops.session.id',
    'pydantic agentMarks: agent_name',
    'pydantic llmMarks: model_name',
    'claude-code finishReasons: stop_reason',
    'voltagent finishReasons: ai.response.finish_reason',
    'strands ttftMs: gen_ai.server.time_to_first_token',
    'mistral-sdk totalTokens: mistral_ai.request.total_tokens',
    'claude-code errorMessage: error',
    'google-adk toolCallId: gen_ai.tool_call.id',
    'codex toolCallId: call_id',
    'voltagent toolCallId: tool.call.id',
    'gemini-cli toolCallId: gen_ai.tool.call_id',
    'openinference toolArguments: tool.parameters',
    'pydantic toolArguments: input',
    'mistral-sdk toolArguments: mistral_ai.tool.call.arguments mistral_ai.function.call.arguments',
    'agentops toolArguments: tool.parameters',
    'voltagent toolArguments: input',
    'netra toolArguments: input',
    'eino toolArguments: gen_ai.prompt.0.content',
    'pydantic toolResult: output',
    'honeyhive toolResult: honeyhive_outputs.result',
    'voltagent toolResult: output',
    'netra toolResult: output',
    'eino toolResult: gen_ai.completion.0.content',
    'netra toolRequestMarks: gen_ai.completion.0.content',
  ])
  const bare = Object.entries(mergedDialects.bare).map(([field, { all }]) => `${field}: ${all.join(' ')}`)
  t.deepEqual(bare, [
    'requestModel: model model_name',
    'inputTokens: input_tokens',
    'outputTokens: output_tokens',
    'cachedTokens: cache_read_tokens cache_read_input_tokens',
    'cacheWriteTokens: cache_creation_tokens cache_creation_input_tokens',
  ])
  t.deepEqual(mergedDialects.bareModelOf.toSorted(), ['claude-code', 'pydantic'])
  t.deepEqual(mergedDialects.bareCountsOf, ['claude-code'])
  t.deepEqual(mergedDialects.bareInputExcludesCache, ['claude-code'])
})

/** The words of a table in alphabetical order: no word occurs twice in a table. */
const kinds: readonly (readonly [attribute: string, words: string])[] = [
  [
    'langfuse.observation.type',
    'agent=agent chain=chain embedding=embedding evaluator=evaluator event=other generation=llm guardrail=guardrail retriever=retriever tool=tool',
  ],
  [
    'openinference.span.kind',
    'agent=agent chain=chain embedding=embedding evaluator=evaluator guardrail=guardrail llm=llm prompt=other reranker=reranker retriever=retriever token_counter=other tool=tool',
  ],
  [
    'operation',
    'acompletion=llm action=chain aembedding=embedding agenerate_content=llm agenerate_content_stream=llm anthropic_messages=llm arerank=reranker aresponses=llm atext_completion=llm chat_streaming=llm interactions=llm interactions_streaming=llm tool_loop=chain generate_content_stream=llm agent=agent agent_call=agent agent_handoff=tool agent_step=chain call_llm=llm chat=llm completion=llm create_agent=agent embed=embedding embedding=embedding embeddings=embedding execute_event_loop_cycle=chain execute_task=agent execute_tool=tool fetch_response=other generate=llm generate_content=llm handle_conversation_turn=chain handoff=chain invoke_agent=agent invoke_workflow=chain llm_call=llm llm_response=llm messages=llm model_generation=chain openai.responses.create=llm orchestrate_tools=chain plan=chain rerank=reranker responses=llm retrieval=retriever schedule_tool_calls=chain system_prompt=chain text_completion=llm text_completions=llm tool_call=tool user_prompt=chain workflow_step=chain agent.run=agent tool.execute=tool tool_selection=llm workflow.run=chain workflow.step=chain',
  ],
  [
    'langsmith.span.kind',
    'chain=chain embedding=embedding llm=llm parser=other prompt=other retriever=retriever tool=tool',
  ],
  [
    'mlflow.spanType',
    'agent=agent chain=chain chat_model=llm embedding=embedding evaluator=evaluator guardrail=guardrail llm=llm memory=memory parser=other reranker=reranker retriever=retriever task=chain tool=tool workflow=chain',
  ],
  ['lmnr.span.type', 'evaluation=chain evaluator=evaluator executor=chain human_evaluator=evaluator llm=llm tool=tool'],
  ['traceloop.span.kind', 'agent=agent task=chain tool=tool workflow=chain'],
  ['llm.request.type', 'chat=llm completion=llm embedding=embedding rerank=reranker'],
  [
    'llm.request.type',
    'acompletion=llm aembedding=embedding agenerate_content=llm agenerate_content_stream=llm anthropic_messages=llm arerank=reranker aresponses=llm atext_completion=llm generate_content_stream=llm responses=llm',
  ],
  [
    'genkit:metadata:subtype',
    'agent=agent embedder=embedding evaluator=evaluator executable-prompt=chain flow=chain model=llm prompt=chain reranker=reranker retriever=retriever tool.v2=tool tool=tool',
  ],
  ['genkit:type', 'dotprompt=chain flow=chain flowstep=chain util=chain'],
  [
    'agentops.span.kind',
    'agent=agent chain=chain guardrail=guardrail llm=llm operation=chain session=chain task=chain tool=tool workflow=chain',
  ],
  ['gen_ai.request.type', 'chat=llm completion=llm embedding=embedding'],
  [
    'braintrust.span_attributes.type',
    'eval=chain function=chain llm=llm review=evaluator score=evaluator task=chain tool=tool',
  ],
  ['spring.ai.kind', 'advisor=chain chat_client=chain tool_call=tool'],
  ['netra.span.type', 'agent=agent embedding=embedding generation=llm span=chain tool=tool'],
  [
    'runinfo.component',
    'agent=agent agenticagent=agent agenticmodel=llm chatmodel=llm embedding=embedding retriever=retriever tool=tool',
  ],
  [
    'gen_ai.span.kind',
    'agent=agent chain=chain embedding=embedding evaluator=evaluator guardrail=guardrail llm=llm reranker=reranker retriever=retriever tool=tool',
  ],
]

test('types are asked for, and mean, what they always did', (t) => {
  const found = mergedDialects.kinds.map(({ names: asked, steps, kinds: table }) => [
    steps === mergedDialects.texts.operation ? 'operation' : asked?.all.join(' '),
    [...table]
      .map(([type, kind]) => `${type}=${kind}`)
      .toSorted()
      .join(' '),
  ])
  t.deepEqual(
    found,
    kinds.map(([attribute, text]) => [attribute, words(text).toSorted().join(' ')]),
  )
  t.deepEqual(
    mergedDialects.kinds.map(({ isFinal }) => isFinal),
    kinds.map(([attribute]) => attribute === 'operation' || attribute === 'langfuse.observation.type'),
  )
})

const ownersOf = <Read>(reads: readonly Read[], given: (dialect: Dialect) => readonly (Read | undefined)[]) =>
  reads.map((read) => allDialects.find((dialect) => given(dialect).includes(read))?.name)

test('functions are asked in the order that they always had', (t) => {
  const owners = (name: keyof ReadsByName) =>
    ownersOf<unknown>(
      mergedDialects.reads[name].reads.map(({ read }) => read),
      ({ reads }) => {
        const given = reads?.[name]
        return [typeof given === 'object' ? given.read : given]
      },
    )
  t.deepEqual(
    owners('kind'),
    words(
      'vercel pydantic anthropic-sdk mistral-sdk traceloop litellm google-adk claude-code mcp livekit strands honeyhive braintrust ag2 haystack semantic-kernel codex llama-index voltagent monocle extensions-ai mirascope azure-ai bifrost',
    ),
  )
  t.deepEqual(owners('restatedKind'), [
    'openlit',
    'openinference',
    'pydantic',
    'mistral-sdk',
    'litellm',
    'google-adk',
    'semantic-kernel',
    'agent-framework',
    'claude-agent-sdk',
    'fastmcp',
    'azure-ai',
  ])
  t.deepEqual(owners('isNotRun'), ['vercel', 'rig'])
  t.deepEqual(owners('usage'), ['vercel', 'langsmith', 'google-adk', 'langfuse'])
  t.deepEqual(owners('callUsage'), [
    'langsmith',
    'pydantic',
    'openlit',
    'openinference',
    'anthropic-sdk',
    'litellm',
    'mlflow',
    'genkit',
    'braintrust',
    'haystack',
    'agent-framework',
    'llama-index',
    'voltagent',
    'monocle',
    'mirascope',
    'rig',
    'req-llm',
  ])
  t.deepEqual(owners('scores'), ['opentelemetry', 'openinference'])
  // Any of them suffices, so the order does not matter.
  t.deepEqual(owners('hasFailed'), [
    'vercel',
    'mistral-sdk',
    'claude-code',
    'langfuse',
    'braintrust',
    'haystack',
    'gemini-cli',
    'rig',
  ])
  t.deepEqual(owners('excludesCache'), [
    'openlit',
    'openinference',
    'traceloop',
    'mlflow',
    'spring-ai',
    'ag2',
    'agent-framework',
    'monocle',
    'aws-sdk',
    'pipecat',
    'claude-agent-sdk',
    'rig',
    'req-llm',
    'ruby-llm',
  ])
  const messages = ownersOf(mergedDialects.messages, (dialect) => [
    ...(dialect.messages ?? []),
    ...(dialect.lateMessages ?? []),
  ])
  t.deepEqual(
    messages,
    words(`langfuse litellm netra opentelemetry vercel vercel vercel sentry traceai openinference openinference traceloop traceloop traceloop pydantic pydantic
      google-adk claude-code mlflow genkit laminar livekit mastra braintrust haystack mirascope claude-code opentelemetry-older
      llama-index voltagent monocle`),
  )
})

test('no two dialects read the name of a span in two ways', (t) => {
  const starts = [...mergedDialects.toolSpans, ...mergedDialects.namelessToolSpans]
  t.true(starts.length > 4)
  for (const start of starts)
    t.deepEqual(
      starts.filter((other) => start.startsWith(other)),
      [start],
    )
})

test('the registry holds every dialect once, and orders name none but those', (t) => {
  const registered = allDialects.map(({ name }) => name)
  t.deepEqual(registered.toSorted(), [...new Set(registered)].toSorted())
  const folder = new URL('../../../src/normalise/dialects/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const defined = files.flatMap((file) => {
    const text = readFileSync(new URL(file, folder), 'utf8')
    const inline = /: Dialect = \{\n {2}name: '([^']+)'/.exec(text)?.[1]
    return (
      inline ?? (/: Dialect = \{\n {2}name,/.test(text) ? (/^const name = '([^']+)'$/m.exec(text)?.[1] ?? file) : [])
    )
  })
  t.deepEqual(defined.toSorted(), registered.toSorted())
  for (const [field, listed] of Object.entries(orders)) {
    t.deepEqual(
      listed.filter((name) => !registered.includes(name)),
      [],
      field,
    )
  }
})
