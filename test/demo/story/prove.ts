// Acts 1 and 2: what the traces speak for is proposed, and measured in shadow.
import { DemoFault } from '../options.ts'
import { type Stage, steady, unread, volatile } from './stage.ts'
import { describeProof } from './wording.ts'

const proposedWithinMs = 150_000
const provenWithinMs = 180_000

const hopeful = [steady, unread]
const shown = [steady, volatile, unread]
const columnChars = 24

export async function propose({ narrator, market, following }: Stage): Promise<void> {
  narrator.act('1  The service proposes rules from the traces')
  await following.until({
    what: `rules for ${shown.join(', ')} were not proposed and moved to shadow`,
    withinMs: proposedWithinMs,
    holds: (decisions) => shown.every((tool) => (decisions.get(tool)?.state ?? 'proposed') !== 'proposed'),
  })
  // Until now there was none, so that headlines looked steady.
  market.openNews()
  narrator.tell(`News comes in: from now on ${volatile} returns new results every few calls.`)
}

export async function prove({ narrator, following, reading }: Stage): Promise<void> {
  narrator.act('2  In shadow, nothing is served: would the stored result have been right?')
  const tellRow = (cells: readonly string[]): void =>
    narrator.tell(
      cells
        .map((cell) => cell.padEnd(columnChars))
        .join('')
        .trimEnd(),
    )
  narrator.say('         Trials, share that matched, and its lower bound, which must exceed 95 %\n')
  tellRow(shown)
  await following.until({
    what: `${steady} and ${unread} were not proven, or ${volatile} was not disabled`,
    withinMs: provenWithinMs,
    holds(decisions) {
      for (const tool of hopeful)
        if (decisions.get(tool)?.state === 'disabled') throw new DemoFault(`${tool} was disabled instead of proven.`)
      if (decisions.get(volatile)?.state === 'active')
        throw new DemoFault(`A rule for ${volatile} was proven, although its results change.`)
      return (
        decisions.get(volatile)?.state === 'disabled' &&
        hopeful.every((tool) => decisions.get(tool)?.state === 'active')
      )
    },
    async meanwhile(decisions) {
      const cells = shown.map(async (tool) => {
        const decision = decisions.get(tool)
        if (decision === undefined) return '–'
        return decision.state === 'shadow' ? describeProof(await reading.lastPoint(decision.id)) : decision.state
      })
      tellRow(await Promise.all(cells))
    },
  })
}
