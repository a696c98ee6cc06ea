// The supported dialects, in order of precedence.
import type { Dialect } from '../merge/definition.ts'
import { mergeDialects } from '../merge/merge.ts'
import { orders } from '../merge/orders.ts'
import { agentOps } from './agentops.ts'
import { anthropicSdk } from './anthropic-sdk.ts'
import { claudeCode } from './claude-code.ts'
import { genkit } from './genkit.ts'
import { googleAdk } from './google-adk.ts'
import { honeyHive } from './honeyhive.ts'
import { laminar } from './laminar.ts'
import { langChain } from './langchain.ts'
import { langfuse } from './langfuse.ts'
import { langSmith } from './langsmith.ts'
import { liteLlm } from './litellm.ts'
import { liveKit } from './livekit.ts'
import { mastra } from './mastra.ts'
import { mcp } from './mcp.ts'
import { mistralSdk } from './mistral-sdk.ts'
import { mlflow } from './mlflow.ts'
import { openAiAgents } from './openai-agents.ts'
import { openInference } from './openinference.ts'
import { openLit } from './openlit.ts'
import { openTelemetry } from './opentelemetry.ts'
import { openTelemetryOlder } from './opentelemetry-older.ts'
import { opik } from './opik.ts'
import { pydantic } from './pydantic.ts'
import { sentry } from './sentry.ts'
import { strands } from './strands.ts'
import { traceloop } from './traceloop.ts'
import { tracewright } from './tracewright.ts'
import { vercel } from './vercel.ts'
import { weave } from './weave.ts'

/** If several dialects have names for a field, they are read in the order of this list. `orders` contains the fields with another order. */
export const allDialects: readonly Dialect[] = [
  tracewright,
  openTelemetry,
  openTelemetryOlder,
  openLit,
  sentry,
  openInference,
  vercel,
  pydantic,
  openAiAgents,
  anthropicSdk,
  mistralSdk,
  traceloop,
  liteLlm,
  googleAdk,
  claudeCode,
  mcp,
  langfuse,
  liveKit,
  laminar,
  mlflow,
  genkit,
  langSmith,
  langChain,
  strands,
  mastra,
  weave,
  opik,
  agentOps,
  honeyHive,
]

/** The dialects that others extend with names of their own. */
export const standardDialects: readonly string[] = [openTelemetry.name, openTelemetryOlder.name, mcp.name]

export const mergedDialects = mergeDialects(allDialects, orders, standardDialects)
