// The reasons in the audit trail of a decision.
import test from 'ava'
import { describeLoss } from '../../src/decisions/choose-step.ts'

const effects = {
  latencyDeltaMs: -10,
  servedCalls: 100,
  realCalls: 100,
  qualityDelta: null,
  observed: null,
  servedMonthly: null,
}

const loss = 'the rule costs more than it saves: on average, a served call costs'

test('a loss is written without an exponent, however small', (t) => {
  const tell = (leastCostDeltaUsd: number): string | null =>
    describeLoss({ ...effects, costDeltaUsd: null, leastCostDeltaUsd })
  t.is(tell(0.004), `${loss} at least 0.004 USD more than a real call`)
  t.is(tell(2), `${loss} at least 2 USD more than a real call`)
  t.is(tell(0.000_000_12), `${loss} at least 0.00000012 USD more than a real call`)
  t.is(tell(-0.004), null)
})
