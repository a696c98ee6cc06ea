// Act 3: the results of a tool begin to change, and the held-out calls show it. Its rule stops serving: either it is disabled, or it
// stepped down first, and then no input gives the same result twice in a row, so that none is left to serve.
import { steady, unread } from './cast.ts'
import type { Decision, Score } from './reading.ts'
import type { Stage } from './stage.ts'

const overWithinMs = 180_000
const toldWithinMs = 180_000
const calledWithinMs = 180_000
const callsInARow = 25
const secondMs = 1_000

export async function drift({ narrator, market, desk, following }: Stage): Promise<void> {
  narrator.act('3  The exchange opens: every rate now changes every few seconds')
  const tally = desk.tallies[steady]
  const before = { ...tally }
  let seenTrials = 0
  const openedMs = Date.now()
  market.openTrading()
  const decisions = await following.until({
    what: `the rule for ${steady} was not over, although its results change`,
    withinMs: overWithinMs,
    holds: (known) =>
      isDisabled(known.get(steady)) || (known.get(steady)?.score?.inputs === 0 && tally.realInARow >= callsInARow),
    async meanwhile(known) {
      const score = known.get(steady)?.score
      if (score == null || score.watch.trials === seenTrials || score.watch.wrong === 0) return
      seenTrials = score.watch.trials
      narrator.tell(describeWatch(score))
      await Promise.resolve()
    },
  })
  const decision = decisions.get(steady)
  const overMs = isDisabled(decision) ? Date.parse(decision?.disabled_at ?? '') : Date.now()
  if (isDisabled(decision))
    await following.until({
      what: `the client kept using the rule for ${steady}`,
      withinMs: toldWithinMs,
      holds: () => desk.client.stats().rules === 1,
    })
  else narrator.tell(`The rule for ${steady} has no currency left to serve: none gives the same rate twice in a row.`)
  const [served, wrong] = [tally.served - before.served, tally.wrong - before.wrong]
  await following.until({
    what: `the real ${steady} was not called ${callsInARow} times in a row`,
    withinMs: calledWithinMs,
    holds: () => tally.realInARow >= callsInARow,
  })
  const tookS = Math.round((overMs - openedMs) / secondMs)
  narrator.tell(
    `The service took ${tookS} s to end it. In that time ${served} calls were served, ${wrong} of them with an outdated rate.`,
  )
  narrator.tell(`Since then all ${tally.realInARow} calls ran the real tool; ${unread} is still served.`)
}

const isDisabled = (decision: Decision | undefined): boolean => decision?.state === 'disabled'

const describeWatch = ({ watch, inputs }: Score): string =>
  `${watch.wrong} of ${watch.trials} calls that were held out returned a different result; the rule now serves ${inputs} currencies.`
