// Act 3: the results of a tool begin to change, the calls that are held out show it, and its rule is over.
import { steady, unread } from './cast.ts'
import type { Score } from './reading.ts'
import type { Stage } from './stage.ts'

const disabledWithinMs = 120_000
const toldWithinMs = 10_000
const calledWithinMs = 30_000
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
    what: `the rule for ${steady} was not disabled, although its results change`,
    withinMs: disabledWithinMs,
    holds: (known) => known.get(steady)?.state === 'disabled',
    async meanwhile(known) {
      const score = known.get(steady)?.score
      if (score == null || score.watch.trials === seenTrials || score.watch.wrong === 0) return
      seenTrials = score.watch.trials
      narrator.tell(describeWatch(score))
      await Promise.resolve()
    },
  })
  const disabledMs = Date.parse(decisions.get(steady)?.disabled_at ?? '')
  await following.until({
    what: `the client kept using the rule for ${steady}`,
    withinMs: toldWithinMs,
    holds: () => desk.client.stats().rules === 1,
  })
  const [served, wrong] = [tally.served - before.served, tally.wrong - before.wrong]
  await following.until({
    what: `the real ${steady} was not called ${callsInARow} times in a row`,
    withinMs: calledWithinMs,
    holds: () => tally.realInARow >= callsInARow,
  })
  const tookS = Math.round((disabledMs - openedMs) / secondMs)
  narrator.tell(
    `The service took ${tookS} s to end it. In that time ${served} calls were served, ${wrong} of them with an outdated rate.`,
  )
  narrator.tell(`Since then all ${tally.realInARow} calls ran the real tool; ${unread} is still served.`)
}

const describeWatch = ({ watch, inputs }: Score): string =>
  `${watch.wrong} of ${watch.trials} calls that were held out got another result; the rule now serves ${inputs} currencies.`
