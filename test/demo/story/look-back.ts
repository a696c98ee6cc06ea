// Act 4: the history of the rules, the other findings, and the total savings.
import { CommandFault } from '../../_kit/command.ts'
import { table } from '../table.ts'
import { steady, unattested, unread } from './cast.ts'
import type { Finding } from './reading.ts'
import type { Stage } from './stage.ts'
import { findingRows, savingsRows, trailRows, wordPeriod } from './wording.ts'

const foundWithinMs = 180_000
const countedWithinMs = 180_000
const maxFindings = 10

export async function lookBack({ narrator, desk, following, reading, startedMs }: Stage): Promise<void> {
  const decision = (await reading.decisions()).find(({ config }) => config.tool_name === steady)
  if (decision === undefined) throw new CommandFault(`The decision about ${steady} no longer exists.`)
  narrator.act(`4  The audit trail of ${steady}`)
  narrator.say(table(trailRows(await reading.transitions(decision.id)), [0, 1, 2, 3, 4]))
  narrator.act('Findings')
  const isSought = ({ type, tool_name: tool }: Finding): boolean => type === 'unattested_repeat' && tool === unattested
  const until = performance.now() + foundWithinMs
  // A scan for findings has a limited time: a busy service needs more than one scan for all types.
  await following.until({
    what: 'the findings could not be read',
    withinMs: 2 * foundWithinMs,
    holds: async () => performance.now() > until || (await reading.openFindings()).some(isSought),
  })
  narrator.say(table(findingRows((await reading.openFindings()).slice(0, maxFindings)), [0, 1, 2]))
  const served = desk.tallies[unread].served
  await desk.client.flush()
  // Calls are counted when their traces have settled.
  await following.until({
    what: `the savings did not count the ${served} calls of ${unread} that were served`,
    withinMs: countedWithinMs,
    holds: async () => {
      const { decisions } = await reading.savings(startedMs)
      return (decisions.find(({ tool_name: tool }) => tool === unread)?.served_calls ?? 0) >= served
    },
  })
  const toMs = Date.now()
  narrator.act(`Savings in ${wordPeriod(startedMs, toMs)}`)
  narrator.say(table(savingsRows(await reading.savings(startedMs))))
}
