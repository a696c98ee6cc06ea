// The fields for which the precedence of dialects differs from the order of the registry.
import type { Orders } from './merge.ts'

/** Values that the application itself set precede values that an instrumentation made up. */
const session = [
  'langfuse',
  'openinference',
  'copilot-chat',
  'opentelemetry',
  'langsmith',
  'traceloop',
  'laminar',
  'vercel',
  'weave',
  'mlflow',
  'google-adk',
]
const user = [
  'openinference',
  'langfuse',
  'opentelemetry-older',
  'traceloop',
  'laminar',
  'vercel',
  'langsmith',
  'mlflow',
]
const model = [
  'opentelemetry',
  'openinference',
  'vercel',
  'langfuse',
  'traceloop',
  'opentelemetry-older',
  'langsmith',
  'claude-code',
]
/** Names in OpenTelemetry's namespace precede all others, no matter which dialect introduced them. */
const partOfTokens = [
  'opentelemetry',
  'opentelemetry-older',
  'traceloop',
  'strands',
  'pydantic',
  'sentry',
  'mastra',
  'livekit',
]

/** For each field, the dialects that come first. The others follow in the order of the registry. */
export const orders: Orders = {
  session,
  resourceSession: session,
  user,
  resourceUser: user,
  environment: ['langfuse'],
  contextAgent: ['openinference', 'traceloop', 'vercel', 'langsmith', 'langchain', 'claude-code'],
  workflow: ['traceloop', 'opentelemetry'],
  requestModel: model,
  responseModel: ['litellm', ...model],
  serviceTier: ['opentelemetry', 'opentelemetry-older', 'openlit', 'laminar', 'vercel'],
  totalTokens: ['openlit', 'traceloop'],
  cachedTokens: partOfTokens,
  cacheWriteTokens: partOfTokens,
  reasoningTokens: partOfTokens,
  toolName: ['opentelemetry', 'openinference', 'vercel', 'traceloop', 'livekit'],
  /** First the types that are stated for an observability tool, then the operation, then the types of frameworks. */
  kinds: ['langfuse', 'openinference', 'opentelemetry', 'langsmith', 'mlflow', 'laminar', 'traceloop'],
  messages: [
    'langfuse',
    'litellm',
    'netra',
    'opentelemetry',
    'vercel',
    'sentry',
    'traceai',
    'openinference',
    'traceloop',
    'pydantic',
    'google-adk',
    'claude-code',
    'mlflow',
    'genkit',
    'laminar',
    'livekit',
  ],
  usage: ['vercel', 'langsmith'],
  callUsage: ['langsmith', 'pydantic'],
}
