// Follows the rules of the story: reports every step of a rule, and waits for expected events.
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandFault } from '../../_kit/command.ts'
import type { Narrator } from './narrator.ts'
import type { Decision, Reading, Transition } from './reading.ts'

export type Awaited = {
  /** The missing event if the time is over, as the end of a sentence. */
  readonly what: string
  readonly withinMs: number
  readonly holds: (decisions: ReadonlyMap<string, Decision>) => boolean | Promise<boolean>
  /** Called now and then during the wait. */
  readonly meanwhile?: (decisions: ReadonlyMap<string, Decision>) => Promise<void>
}

export type Following = {
  /** Resolves when the condition holds. Throws a CommandFault if it does not hold in time. */
  until(awaited: Awaited): Promise<ReadonlyMap<string, Decision>>
}

export type FollowDeps = {
  readonly reading: Pick<Reading, 'decisions' | 'transitions'>
  readonly narrator: Pick<Narrator, 'tell'>
  /** Throws if the agents have failed meanwhile. */
  readonly check: () => void
  /** Null: the step is not reported. */
  readonly describe: (decision: Decision, step: Transition) => string | null
}

const lookEveryMs = 500
const tellEveryMs = 3_000
const secondMs = 1_000

/** Decisions are identified by their tool: in the story no tool has two. */
export function follow({ reading, narrator, check, describe }: FollowDeps): Following {
  const told = new Map<string, number>()

  async function look(): Promise<ReadonlyMap<string, Decision>> {
    const decisions = await reading.decisions()
    const news: { readonly decision: Decision; readonly step: Transition }[] = []
    for (const decision of decisions) {
      const steps = await reading.transitions(decision.id)
      for (const step of steps.slice(told.get(decision.id) ?? 0)) news.push({ decision, step })
      told.set(decision.id, steps.length)
    }
    news.sort((a, b) => Date.parse(a.step.at) - Date.parse(b.step.at))
    for (const { decision, step } of news) {
      const text = describe(decision, step)
      if (text !== null) narrator.tell(text)
    }
    return new Map(decisions.map((decision) => [decision.config.tool_name, decision]))
  }

  return {
    async until({ what, withinMs, holds, meanwhile }) {
      const startedMs = performance.now()
      let toldMs = startedMs
      for (;;) {
        check()
        const decisions = await look()
        if (await holds(decisions)) return decisions
        const nowMs = performance.now()
        if (nowMs - startedMs > withinMs) throw new CommandFault(`Within ${withinMs / secondMs} s ${what}.`)
        if (meanwhile !== undefined && nowMs - toldMs >= tellEveryMs) {
          toldMs = nowMs
          await meanwhile(decisions)
        }
        await sleep(lookEveryMs)
      }
    },
  }
}
