// The fields that dialects have names for. Written out as records, whose members a reader then finds as fast as a constant.

/** One value for each field that is read from attributes alone. */
export const eachNameField = <Value>(make: (field: string) => Value) => ({
  // Whose work it is. Those of the resource hold where the span is silent.
  session: make('session'),
  resourceSession: make('resourceSession'),
  resourceUser: make('resourceUser'),
  agentVersion: make('agentVersion'),
  resourceVersion: make('resourceVersion'),
  fallbackAgent: make('fallbackAgent'),
  taskType: make('taskType'),
  environment: make('environment'),
  // Attributes that only spans of one kind have: looked at where nothing states a kind.
  toolMarks: make('toolMarks'),
  retrieverMarks: make('retrieverMarks'),
  agentMarks: make('agentMarks'),
  llmMarks: make('llmMarks'),
  host: make('host'),
  requestModel: make('requestModel'),
  responseModel: make('responseModel'),
  /** JSON objects with a member `model`. */
  modelParameters: make('modelParameters'),
  finishReasons: make('finishReasons'),
  batch: make('batch'),
  ttftSeconds: make('ttftSeconds'),
  ttftMs: make('ttftMs'),
  /** Read after the two above. */
  ttftServerSeconds: make('ttftServerSeconds'),
  /** When the first token came, as a date. */
  completionStart: make('completionStart'),
  inputTokens: make('inputTokens'),
  outputTokens: make('outputTokens'),
  totalTokens: make('totalTokens'),
  cachedTokens: make('cachedTokens'),
  cacheWriteTokens: make('cacheWriteTokens'),
  cacheWrite5mTokens: make('cacheWrite5mTokens'),
  cacheWrite1hTokens: make('cacheWrite1hTokens'),
  reasoningTokens: make('reasoningTokens'),
  /** The only count of an embedding. */
  embeddingTokens: make('embeddingTokens'),
  cost: make('cost'),
  inputCost: make('inputCost'),
  outputCost: make('outputCost'),
  /** JSON objects whose members are costs. */
  costDetails: make('costDetails'),
  errorType: make('errorType'),
  errorMessage: make('errorMessage'),
  score: make('score'),
  toolCallId: make('toolCallId'),
  readOnly: make('readOnly'),
  toolArguments: make('toolArguments'),
  toolResult: make('toolResult'),
  /** Of an answer that is told member by member: what is there where it asks for a tool. */
  toolRequestMarks: make('toolRequestMarks'),
})

/** One value for each field that some dialects tell in a way of their own, so that functions may stand among the names. */
export const eachTextField = <Value>(make: (field: string) => Value) => ({
  operation: make('operation'),
  /** Read where no operation is stated. */
  impliedOperation: make('impliedOperation'),
  agent: make('agent'),
  /** What names an agent only on some spans; read where `agent` is silent. */
  contextAgent: make('contextAgent'),
  /** Read where nothing names an agent. */
  workflow: make('workflow'),
  user: make('user'),
  provider: make('provider'),
  responseId: make('responseId'),
  serviceTier: make('serviceTier'),
  toolName: make('toolName'),
})

/** One value for each field that may have names without a namespace (`model`, `input_tokens`). */
export const eachBareField = <Value>(make: (field: string) => Value) => ({
  requestModel: make('requestModel'),
  inputTokens: make('inputTokens'),
  outputTokens: make('outputTokens'),
  cachedTokens: make('cachedTokens'),
  cacheWriteTokens: make('cacheWriteTokens'),
})

export type NameField = keyof ReturnType<typeof eachNameField>
export type TextField = keyof ReturnType<typeof eachTextField>
export type BareField = keyof ReturnType<typeof eachBareField>
export type ByNameField<Value> = { readonly [field in NameField]: Value }
export type ByTextField<Value> = { readonly [field in TextField]: Value }
export type ByBareField<Value> = { readonly [field in BareField]: Value }
