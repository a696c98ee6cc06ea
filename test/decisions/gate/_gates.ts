// The gates under simulation: the ladder as it serves, and the gate that it replaced, as a control.

import { type Execution, LadderState } from '../../../src/decisions/gate/replay.ts'
import type { LadderSettings } from '../../../src/decisions/gate/verdict.ts'
import { judge } from './_judge.ts'
import { type Gate, holdoutRate } from './_simulate.ts'

export const settings: LadderSettings = { floor: 0.95, alpha: 0.05, holdoutRate, maxFreshnessS: 86_400 }

export function makeLadderGate(): Gate {
  const state = new LadderState(settings)
  // The newest success of each input: the result that can be served.
  const stored = new Map<string, string | null>()
  let servingSinceUs: number | null = null
  return {
    servedS: () => state.served?.freshnessS ?? null,
    lookUp(inputHash, atUs) {
      const slot = state.inputs.find(inputHash)
      const decision = state.served?.policy.decide(slot, atUs, state.invalidatedAt(slot, atUs))
      return decision?.kind === 'trial' ? stored.get(inputHash)! : null
    },
    observe(execution) {
      stored.set(execution.inputHash, execution.contentHash)
      state.replay([execution], { servingSinceUs })
      if (state.served === null) servingSinceUs = null
      else servingSinceUs ??= execution.endUs
    },
    stepsDown: () => state.stepsDown,
  }
}

/** Every call within the freshness is a trial; the freshness is an hour, and the watch starts from zero when the rule is proven. */
export function makeOldGate(): Gate {
  const bounds = { floor: settings.floor, alpha: settings.alpha, minSamples: 30 }
  const freshnessUs = 3_600e6
  const stored = new Map<string, Execution>()
  let counts = { trials: 0, matches: 0 }
  let isActive = false
  let steps = 0
  const find = (inputHash: string, atUs: number): Execution | null => {
    const found = stored.get(inputHash)
    return found !== undefined && atUs - found.endUs < freshnessUs ? found : null
  }
  return {
    servedS: () => (isActive ? 3_600 : null),
    lookUp: (inputHash, atUs) => find(inputHash, atUs)?.contentHash ?? null,
    observe(execution) {
      const candidate = find(execution.inputHash, execution.startUs)
      if (!execution.isError) stored.set(execution.inputHash, execution)
      // Errors were left out.
      if (candidate === null || execution.isError) return
      counts.trials++
      if (candidate.contentHash === execution.contentHash) counts.matches++
      const verdict = judge(bounds, counts)
      if (verdict === 'inconclusive') return
      counts = { trials: 0, matches: 0 }
      if (isActive && verdict === 'fail') steps++
      isActive = verdict === 'pass'
    },
    stepsDown: () => steps,
  }
}
