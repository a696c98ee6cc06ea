import test from 'ava'
import fc from 'fast-check'
import { type Ladder, openLadder, readLadder } from '../../../src/decisions/gate/ladder.ts'
import type { Execution, Trial } from '../../../src/decisions/gate/replay.ts'
import type { LadderSettings } from '../../../src/decisions/gate/verdict.ts'
import { epochUs, streams } from './_streams.ts'

// A low floor and a high alpha, so that short streams pass and fail.
const settings: LadderSettings = { floor: 0.6, alpha: 0.5, holdoutRate: 0.4, maxFreshnessS: 600 }

type Shadow = { readonly ladder: Ladder; readonly trials: Trial[] }

const open = (): Shadow => ({ ladder: openLadder(settings), trials: [] })
const replay = ({ ladder, trials }: Shadow, executions: readonly Execution[], servingSinceUs: number | null): void =>
  ladder.replay(executions, { servingSinceUs, onTrial: (trial) => trials.push(trial) })

const seen = ({ ladder, trials }: Shadow, nowUs: number): unknown => ({
  trials,
  standing: ladder.describe(nowUs),
  served: ladder.listServed(nowUs, 10),
})

const lastUs = (executions: readonly Execution[]): number => Math.max(epochUs, ...executions.map(({ endUs }) => endUs))

test('a ladder that was written and read goes on as the one that was not', (t) => {
  const property = fc.property(
    streams(true),
    streams(true),
    fc.boolean(),
    fc.option(fc.constantFrom(30, 120)),
    fc.option(fc.constantFrom('a', 'z')),
    (before, after, serves, forceS, invalidated) => {
      const one = open()
      const servingSinceUs = serves ? epochUs + 60_000_000 : null
      replay(one, before, servingSinceUs)
      one.ladder.force(forceS)
      one.ladder.invalidate(lastUs(before), invalidated)
      const other = { ladder: readLadder(settings, one.ladder.write()), trials: [...one.trials] }
      t.deepEqual(seen(other, lastUs(before)), seen(one, lastUs(before)))
      const shift = lastUs(before) - epochUs
      const later = after.map((each) => ({ ...each, startUs: each.startUs + shift, endUs: each.endUs + shift }))
      for (const shadow of [one, other]) replay(shadow, later, servingSinceUs)
      t.deepEqual(seen(other, lastUs(later)), seen(one, lastUs(later)))
      t.deepEqual(other.ladder.write(), one.ladder.write())
    },
  )
  fc.assert(property, { numRuns: 200 })
})
