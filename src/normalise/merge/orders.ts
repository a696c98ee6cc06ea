// Fields that trust dialects in another order than that of the registry.
import type { Orders } from './merge.ts'

/** What the application itself set comes before what an instrumentation made up. */
const session = [
  'langfuse',
  'openinference',
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
/** Names in OpenTelemetry's namespace, whoever made them up, before all others. */
const partOfTokens = ['opentelemetry', 'opentelemetry-older', 'traceloop', 'strands', 'pydantic', 'sentry', 'mastra']

/** The dialects that come first; the others follow in the order of the registry. */
export const orders: Orders = {
  session,
  resourceSession: session,
  user,
  resourceUser: user,
  environment: ['langfuse'],
  contextAgent: ['openinference', 'traceloop', 'vercel', 'langsmith', 'langchain', 'claude-code'],
  workflow: ['traceloop', 'opentelemetry'],
  requestModel: model,
  responseModel: model,
  serviceTier: ['opentelemetry', 'opentelemetry-older', 'openlit', 'laminar', 'vercel'],
  totalTokens: ['openlit', 'traceloop'],
  cachedTokens: partOfTokens,
  cacheWriteTokens: partOfTokens,
  reasoningTokens: partOfTokens,
  toolName: ['opentelemetry', 'openinference', 'vercel', 'traceloop', 'livekit'],
  /** A type that somebody stated for an observer, then the operation, then types of frameworks. */
  kinds: ['langfuse', 'openinference', 'opentelemetry', 'langsmith', 'mlflow', 'laminar', 'traceloop'],
  messages: [
    'langfuse',
    'litellm',
    'opentelemetry',
    'vercel',
    'sentry',
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
