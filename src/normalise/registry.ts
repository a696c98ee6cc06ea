// The supported dialects, in order of precedence.
import { agentOps } from './dialects/agentops.ts'
import { braintrust } from './dialects/braintrust.ts'
import { anthropicSdk } from './dialects/clients/anthropic-sdk.ts'
import { awsSdk } from './dialects/clients/aws-sdk.ts'
import { azureAi } from './dialects/clients/azure-ai.ts'
import { mistralSdk } from './dialects/clients/mistral-sdk.ts'
import { claudeCode } from './dialects/coding-agents/claude-code.ts'
import { codex } from './dialects/coding-agents/codex.ts'
import { copilotChat } from './dialects/coding-agents/copilot-chat.ts'
import { geminiCli } from './dialects/coding-agents/gemini-cli.ts'
import { ag2 } from './dialects/frameworks/ag2.ts'
import { agentFramework } from './dialects/frameworks/agent-framework.ts'
import { claudeAgentSdk } from './dialects/frameworks/claude-agent-sdk.ts'
import { eino } from './dialects/frameworks/eino.ts'
import { embabel } from './dialects/frameworks/embabel.ts'
import { extensionsAi } from './dialects/frameworks/extensions-ai.ts'
import { fastMcp } from './dialects/frameworks/fastmcp.ts'
import { genkit } from './dialects/frameworks/genkit.ts'
import { googleAdk } from './dialects/frameworks/google-adk.ts'
import { haystack } from './dialects/frameworks/haystack.ts'
import { liveKit } from './dialects/frameworks/livekit.ts'
import { llamaIndex } from './dialects/frameworks/llama-index.ts'
import { mastra } from './dialects/frameworks/mastra.ts'
import { mirascope } from './dialects/frameworks/mirascope.ts'
import { pipecat } from './dialects/frameworks/pipecat.ts'
import { reqLlm } from './dialects/frameworks/req-llm.ts'
import { rig } from './dialects/frameworks/rig.ts'
import { rubyLlm } from './dialects/frameworks/ruby-llm.ts'
import { semanticKernel } from './dialects/frameworks/semantic-kernel.ts'
import { springAi } from './dialects/frameworks/spring-ai.ts'
import { strands } from './dialects/frameworks/strands.ts'
import { voltAgent } from './dialects/frameworks/voltagent.ts'
import { honeyHive } from './dialects/honeyhive.ts'
import { laminar } from './dialects/laminar.ts'
import { langChain } from './dialects/langchain.ts'
import { langfuse } from './dialects/langfuse.ts'
import { langSmith } from './dialects/langsmith.ts'
import { langtrace } from './dialects/langtrace.ts'
import { liteLlm } from './dialects/litellm.ts'
import { mcp } from './dialects/mcp.ts'
import { mlflow } from './dialects/mlflow.ts'
import { monocle } from './dialects/monocle.ts'
import { netra } from './dialects/netra.ts'
import { openAiAgents } from './dialects/openai-agents.ts'
import { openInference } from './dialects/openinference.ts'
import { openLit } from './dialects/openlit.ts'
import { openTelemetry } from './dialects/opentelemetry.ts'
import { openTelemetryOlder } from './dialects/opentelemetry-older.ts'
import { opik } from './dialects/opik.ts'
import { pydantic } from './dialects/pydantic.ts'
import { sentry } from './dialects/sentry.ts'
import { bifrost } from './dialects/servers/bifrost.ts'
import { vllm } from './dialects/servers/vllm.ts'
import { traceAi } from './dialects/traceai.ts'
import { traceloop } from './dialects/traceloop.ts'
import { tracewright } from './dialects/tracewright.ts'
import { vercel } from './dialects/vercel.ts'
import { weave } from './dialects/weave.ts'
import type { Dialect } from './merge/definition.ts'
import { mergeDialects } from './merge/merge.ts'
import { orders } from './merge/orders.ts'

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
  braintrust,
  springAi,
  ag2,
  haystack,
  semanticKernel,
  agentFramework,
  codex,
  llamaIndex,
  voltAgent,
  netra,
  monocle,
  eino,
  traceAi,
  langtrace,
  awsSdk,
  vllm,
  pipecat,
  extensionsAi,
  geminiCli,
  mirascope,
  claudeAgentSdk,
  fastMcp,
  azureAi,
  rig,
  reqLlm,
  rubyLlm,
  embabel,
  copilotChat,
  bifrost,
]

/** The dialects that others extend with names of their own. */
export const standardDialects: readonly string[] = [openTelemetry.name, openTelemetryOlder.name, mcp.name]

export const mergedDialects = mergeDialects(allDialects, orders, standardDialects)
