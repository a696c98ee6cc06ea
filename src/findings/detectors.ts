// The list of all detectors.
import { contextGrowth } from './detect/context-growth.ts'
import { costSpike } from './detect/cost-spike.ts'
import { deadToolResult } from './detect/dead-tool-result.ts'
import { errorHotspot } from './detect/error-hotspot.ts'
import { gcmIvReuse } from './detect/gcm-iv-reuse.ts'
import { missedPromptCache } from './detect/missed-prompt-cache.ts'
import { quotaOrCapDrops } from './detect/quota-or-cap-drops.ts'
import { repeatedToolCall } from './detect/repeated-tool-call.ts'
import { retryLoop } from './detect/retry-loop.ts'
import { slowTool } from './detect/slow-tool.ts'
import { telemetryUnclear } from './detect/telemetry-unclear.ts'
import { unattestedRepeat } from './detect/unattested-repeat.ts'
import { unpricedModel } from './detect/unpriced-model.ts'
import type { Detector } from './detector.ts'

export const detectors: readonly Detector[] = [
  repeatedToolCall,
  deadToolResult,
  retryLoop,
  errorHotspot,
  slowTool,
  missedPromptCache,
  contextGrowth,
  costSpike,
  unpricedModel,
  unattestedRepeat,
  quotaOrCapDrops,
  gcmIvReuse,
  telemetryUnclear,
]
