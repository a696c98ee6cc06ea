// What every act of the story has at hand, and who plays in it.

import type { Workspace } from '../account.ts'
import { makeChance } from '../chance.ts'
import { type Desk, openDesk, type ToolName } from './desk.ts'
import { type Following, follow } from './follow.ts'
import { type Market, openMarket } from './market.ts'
import type { Narrator } from './narrator.ts'
import { openReading, type Reading } from './reading.ts'
import { type Shift, startShift } from './shift.ts'
import { describeStep } from './wording.ts'

/** Answers the same until the exchange opens. */
export const steady: ToolName = 'exchange_rates'
/** Answers the same for a moment only. */
export const volatile: ToolName = 'headlines'
export const unread: ToolName = 'style_guide'
export const unattested: ToolName = 'get_tax_rates'

export type Stage = {
  readonly narrator: Narrator
  readonly market: Market
  readonly desk: Desk
  readonly reading: Reading
  readonly following: Following
  /** Unix milliseconds. */
  readonly startedMs: number
  /** From now on the agents are at work. */
  begin(): void
  /** They stop, and what they have told is sent. */
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
    startedMs,
    begin() {
      shift = startShift(desk)
    },
    async end() {
      await shift?.end()
      await desk.client.shutdown()
    },
  }
}
