// Act 4: the answers of a tool begin to drift, the gate sees it in the calls that are held out, and its rule is over.
import type { Tally } from './desk.ts'
import type { Decision, Point } from './reading.ts'
import { type Stage, steady, unread } from './stage.ts'
import { describeDoubt } from './wording.ts'

const disabledWithinMs = 120_000
const toldWithinMs = 10_000
const calledWithinMs = 30_000
const callsInARow = 25

export async function drift({ narrator, market, desk, following, reading }: Stage): Promise<void> {
  narrator.act('4  The exchange opens: the rates now change with every call')
  const tally = desk.tallies[steady]
  const servedBefore = tally.served
  let told: Point | null = null
  market.openTrading()
  const decisions = await following.until({
    what: `the rule for ${steady} was not disabled, although its results change`,
    withinMs: disabledWithinMs,
    holds: (known) => known.get(steady)?.state === 'disabled',
    async meanwhile(known) {
      const point = await reading.lastPoint(known.get(steady)?.id ?? '')
      if (point === null || point.trial === told?.trial) return
      told = point
      narrator.tell(`${steady}: ${describeDoubt(point)}`)
    },
  })
  const disabled = decisions.get(steady)
  await following.until({
    what: `the client kept using the rule for ${steady}`,
    withinMs: toldWithinMs,
    holds: () => desk.client.stats().rules === 1,
  })
  await following.until({
    what: `the real ${steady} was not called ${callsInARow} times in a row`,
    withinMs: calledWithinMs,
    holds: () => tally.realInARow >= callsInARow,
  })
  narrator.tell(
    `${tally.served - servedBefore} calls got rates that were a few seconds old. ${describeEnd(tally, disabled)}`,
  )
  narrator.tell(`Since then all ${tally.realInARow} calls ran the real tool; ${unread} is still served.`)
}

/** How long after the gate's word the last call was served. */
function describeEnd({ lastServedMs }: Tally, decision: Decision | undefined): string {
  const lateMs = (lastServedMs ?? 0) - Date.parse(decision?.disabled_at ?? '')
  return lateMs > 0
    ? `The last one was served ${lateMs} ms after the gate disabled the rule.`
    : 'None was served after the gate disabled the rule.'
}
