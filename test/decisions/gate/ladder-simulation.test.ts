// The promises of the ladder, on tools that change in many ways. `test/bench/ladder.ts` is the long form of it.
import test from 'ava'
import { makeLadderGate, makeOldGate } from './_gates.ts'
import { scenarios, traffics } from './_scenarios.ts'
import { type Gate, type Run, simulate } from './_simulate.ts'

const seconds = 6 * 3_600

const runOf = (name: string, makeGate: () => Gate, traffic = 0): Run =>
  simulate(makeGate(), scenarios[name]!, traffics[traffic]!, 1, seconds)

test('a constant tool is served after 14 minutes, and one that changes every 5 seconds never', (t) => {
  const constant = runOf('constant', makeLadderGate)
  t.true(constant.activatedS !== null && constant.activatedS < 900)
  t.is(constant.wrong, 0)
  t.true(constant.served > 0.5 * constant.calls)
  t.is(runOf('every 5 s', makeLadderGate).activatedS, null)
  t.not(runOf('every 400 calls', makeOldGate).wrong, 0)
})
