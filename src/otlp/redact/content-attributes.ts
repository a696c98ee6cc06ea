// Floor 1. Which attributes carry what was said to and by a model or a tool, in every dialect.

/**
 * Where the normalised content keeps the same thing: messages in or tool arguments (`in`), messages out or a tool result
 * (`out`), both in one attribute (`both`), or nowhere (`apart`: documents, tool definitions, prompt variables).
 */
export type ContentSide = 'in' | 'out' | 'both' | 'apart'

const listed = (side: ContentSide, names: string): [string, ContentSide][] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => [name, side])

const sides: ReadonlyMap<string, ContentSide> = new Map([
  ...listed(
    'in',
    `langfuse.observation.input langfuse.trace.input gen_ai.input.messages gen_ai.system_instructions gen_ai.prompt
    gen_ai.request.messages ai.prompt ai.prompt.messages input.value llm.prompts traceloop.entity.input prompt user_prompt
    gcp.vertex.agent.llm_request mlflow.spanInputs genkit:input gen_ai.system.message gen_ai.user.message
    gen_ai.content.prompt gen_ai.tool.call.arguments gen_ai.tool.args gen_ai.tool.input tool.parameters ai.toolCall.args
    ai.toolCall.input tool_arguments tool_input gcp.vertex.agent.tool_call_args mcp.request.argument
    mcp.request.arguments ai.value ai.values lmnr.span.input request_data`,
  ),
  ...listed(
    'out',
    `langfuse.observation.output langfuse.trace.output gen_ai.output.messages gen_ai.completion gen_ai.response.text
    gen_ai.response.tool_calls ai.response.text ai.response.object ai.response.toolCalls ai.response.reasoning
    ai.response.files output.value llm.completions traceloop.entity.output final_result response.model_output
    gcp.vertex.agent.llm_response mlflow.spanOutputs genkit:output gen_ai.assistant.message gen_ai.choice
    gen_ai.content.completion gen_ai.tool.call.result gen_ai.tool.output gen_ai.tool.message ai.toolCall.result
    ai.toolCall.output tool_response tool.output gcp.vertex.agent.tool_response mcp.response.value
    lmnr.span.output response_data gen_ai.response.reasoning gen_ai.response.object`,
  ),
  ...listed('both', 'pydantic_ai.all_messages all_messages all_messages_events events gcp.vertex.agent.data'),
  ...listed(
    'apart',
    `content message tool_calls arguments completion gen_ai.event.content gen_ai.tool.definitions gen_ai.retrieval.documents
    gen_ai.retrieval.query.text reranker.query embedding.text llm.prompt_template.template llm.prompt_template.variables
    gen_ai.evaluation.explanation gen_ai.request.available_tools ai.prompt.tools tools model_request_parameters
    ai.embedding ai.embeddings mlflow.chat.tools mlflow.chunk.value`,
  ),
])

/** Names with an index or a key of the sender's in them. */
const families: readonly (readonly [RegExp, ContentSide])[] = [
  [/^(?:llm\.input_messages|llm\.prompts|gen_ai\.prompt)\.\d/, 'in'],
  [/^(?:mcp\.request\.argument|gen_ai\.tool\.call\.arguments|gen_ai\.input\.messages)\./, 'in'],
  [/^(?:llm\.output_messages|llm\.completions|gen_ai\.completion)\.\d/, 'out'],
  [/^(?:gen_ai\.tool\.call\.result|gen_ai\.output\.messages|ai\.result)\./, 'out'],
  [/^(?:gen_ai\.prompt\.variable|llm\.prompt_template\.variables|llm\.tools|llm\.request\.functions)\./, 'apart'],
  [/^(?:retrieval\.documents|reranker\.(?:in|out)put_documents|embedding\.embeddings|lk)\./, 'apart'],
]

/** Where the content of this attribute belongs; null for an attribute that carries none. */
export function contentSideOf(key: string): ContentSide | null {
  const side = sides.get(key)
  if (side !== undefined) return side
  return families.find(([family]) => family.test(key))?.[1] ?? null
}

/** True for attributes that carry prompts, completions, tool arguments or results, documents and the like. */
export const isContentAttribute = (key: string): boolean => contentSideOf(key) !== null
