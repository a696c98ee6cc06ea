// The fields that dialects have names for. They are written out as records, since reading a member is then as fast as reading a constant.

/** Creates one value for each field that is read only from attributes. */
export const eachNameField = <Value>(make: (field: string) => Value) => ({
  // What the span belongs to. The names of the resource are used where the span states nothing.
  session: make('session'),
  resourceSession: make('resourceSession'),
  resourceUser: make('resourceUser'),
  agentVersion: make('agentVersion'),
  resourceVersion: make('resourceVersion'),
  fallbackAgent: make('fallbackAgent'),
  taskType: make('taskType'),
  environment: make('environment'),
  // Attributes that only spans of one kind have. They are used where nothing states a kind.
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
  /** The time of the first token, as a date. */
  completionStart: make('completionStart'),
  inputTokens: make('inputTokens'),
  outputTokens: make('outputTokens'),
  totalTokens: make('totalTokens'),
  cachedTokens: make('cachedTokens'),
  cacheWriteTokens: make('cacheWriteTokens'),
  cacheWrite5mTokens: make('cacheWrite5mTokens'),
  cacheWrite1hTokens: make('cacheWrite1hTokens'),
  reasoningTokens: make('reasoningTokens'),
  /** The only token count of an embedding. */
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
  /** For answers with one attribute for each member: the attributes that are present if the answer asks for a tool. */
  toolRequestMarks: make('toolRequestMarks'),
})

/** Creates one value for each field that some dialects report in a special way, so that functions may be listed among the names. */
export const eachTextField = <Value>(make: (field: string) => Value) => ({
  operation: make('operation'),
  /** Read where no operation is stated. */
  impliedOperation: make('impliedOperation'),
  agent: make('agent'),
  /** Names that mean an agent only on some spans. Read where `agent` has no value. */
  contextAgent: make('contextAgent'),
  /** Read where neither of the two names an agent. */
  workflow: make('workflow'),
  user: make('user'),
  provider: make('provider'),
  responseId: make('responseId'),
  serviceTier: make('serviceTier'),
  toolName: make('toolName'),
})

/** Creates one value for each field that may have names without a namespace (`model`, `input_tokens`). */
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
