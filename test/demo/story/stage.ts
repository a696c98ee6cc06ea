// The shared resources of all acts of the story, and its cast.

import type { Workspace } from '../account.ts'
import { makeChance } from '../chance.ts'
import { type Desk, deskKeys, openDesk } from './desk.ts'
import { type Following, follow } from './follow.ts'
import { type Market, openMarket } from './market.ts'
import type { Narrator } from './narrator.ts'
import { type Past, tellPast } from './past.ts'
import { openReading, type Reading } from './reading.ts'
import { type Shift, startShift } from './shift.ts'
import { describeStep } from './wording.ts'

export type Stage = {
  readonly narrator: Narrator
  readonly market: Market
  readonly desk: Desk
  readonly reading: Reading
  readonly following: Following
  readonly url: string
  /** API key of the workspace. */
  readonly key: string
  /** Unix milliseconds. */
  readonly startedMs: number
  /** The executions of the tools in the last six days. */
  past(): Promise<Past>
  /** Starts the agents. */
  begin(): void
  /** Stops the agents and sends what they have reported. */
  end(): Promise<void>
}

export function openStage(url: string, workspace: Workspace, seed: number, narrator: Narrator): Stage {
  const startedMs = Date.now()
  const chance = makeChance(seed, startedMs)
  const market = openMarket(chance)
  const desk = openDesk(url, workspace.key, market, chance)
  const reading = openReading(url, workspace)
  let shift: Shift | null = null
  const check = (): void => shift?.check()
  return {
    narrator,
    market,
    desk,
    reading,
    following: follow({ reading, narrator, check, describe: describeStep }),
    url,
    key: workspace.key,
    startedMs,
    past: async () =>
      await tellPast({ keys: deskKeys, market, chance: makeChance(seed), ids: chance, nowMs: startedMs }),
    begin() {
      shift = startShift(desk)
    },
    async end() {
      await shift?.end()
      await desk.client.shutdown()
    },
  }
}
