// The replay of a stream gives the same as serving the same stream, call by call.
import test from 'ava'
import fc from 'fast-check'
import { openLadder } from '../../../src/decisions/gate/ladder.ts'
import type { Execution, Trial } from '../../../src/decisions/gate/replay.ts'
import { holdoutDraw } from '../../../src/decisions/policy/fingerprint.ts'
import { seed } from '../../_kit/soak.ts'
import { listServed } from '../gate/_served.ts'
import { type Answer, serveNaively } from './_naive-serving.ts'
import { epochUs, streams } from './_streams.ts'

const ageS = 10
const holdoutRate = 0.4
// The floor is so low that the watch never ends a rule: it is not the subject here.
const settings = { floor: 0.01, alpha: 0.05, holdoutRate, maxFreshnessS: ageS }

/** Times of at most one invalidation of everything and one of an input. */
const invalidations = fc
  .record({ all: fc.option(fc.integer({ min: 0, max: 300_000 })), a: fc.option(fc.integer({ min: 0, max: 300_000 })) })
  .map((ms) => new Map(Object.entries(ms).flatMap(([key, at]) => (at === null ? [] : [[key, epochUs + at * 1_000]]))))

type Ids = readonly string[]
const line = (call: Execution, startUs: number, endUs: number, matched: boolean): string =>
  `${call.spanId} ${startUs} ${endUs} ${matched ? 'right' : 'wrong'}`
const ofTrial = ({ execution, candidateStartUs, candidateEndUs, matched }: Trial): string =>
  line(execution, candidateStartUs, candidateEndUs, matched)
const ofAnswer = ({ call, stored }: Answer): string =>
  line(call, stored.startUs, stored.endUs, !call.isError && call.contentHash === stored.contentHash)
/** A success without content cannot be compared and is no trial. */
const isComparable = ({ call }: Answer): boolean => call.isError || call.contentHash !== null

type Replayed = { readonly trials: Ids; readonly served: Ids }

function replay(calls: readonly Execution[], invalidated: ReadonlyMap<string, number>, isForced: boolean): Replayed {
  // The tested rung must be the only one of its age: beside a forced rung there is a usual one of another age.
  const rungSettings = { ...settings, maxFreshnessS: isForced ? 1 : ageS }
  const ladder = openLadder(rungSettings)
  if (isForced) ladder.force(ageS)
  for (const [input, atUs] of invalidated) ladder.invalidate(atUs, input === 'all' ? null : input)
  const trials: string[] = []
  const onTrial = (trial: Trial): void => {
    if (trial.rungS === ageS) trials.push(ofTrial(trial))
  }
  ladder.replay(calls, { servingSinceUs: isForced ? 0 : null, onTrial })
  const lastUs = Math.max(epochUs, ...calls.map(({ endUs }) => endUs))
  return { trials: trials.sort(), served: listServed(ladder, rungSettings, lastUs).sort() }
}

test('in shadow, the trials are the calls that would have been served, from the same results', (t) => {
  let trials = 0
  let wrong = 0
  const property = fc.property(streams(true), invalidations, (calls, invalidated) => {
    const isHeldOut = ({ spanId }: Execution): boolean => holdoutDraw(spanId) < holdoutRate
    const rules = { ageUs: ageS * 1e6, firstNeed: 2, isHeldOut, invalidations: invalidated }
    const expected = serveNaively(calls, rules).answers.filter(isComparable).map(ofAnswer).sort()
    t.deepEqual(replay(calls, invalidated, false).trials, expected)
    trials += expected.length
    wrong += expected.filter((each) => each.endsWith('wrong')).length
  })
  fc.assert(property, { numRuns: 200, seed, endOnFailure: true })
  // For twice as many streams, over 25 seeds: 2,042 trials (standard deviation 79) and 341 wrong (22).
  t.true(trials > 500 && wrong > 50, `${trials} trials, ${wrong} wrong`)
})

test('while it serves, the trials are the held-out calls, and the inputs listed are those that can be served', (t) => {
  let heldOut = 0
  let listed = 0
  const property = fc.property(streams(true), invalidations, (calls, invalidated) => {
    // Drawn in another way than the replay draws in shadow: every real execution counts.
    const isHeldOut = ({ spanId }: Execution): boolean => Number.parseInt(spanId.at(-1)!, 16) < 6
    const rules = { ageUs: ageS * 1e6, firstNeed: 1, isHeldOut, invalidations: invalidated }
    const { answers, executed, servedAt } = serveNaively(calls, rules)
    const expected = answers.filter((answer) => isComparable(answer) && isHeldOut(answer.call)).map(ofAnswer)
    const replayed = replay(executed, invalidated, true)
    const lastUs = Math.max(epochUs, ...executed.map(({ endUs }) => endUs))
    t.deepEqual(replayed, { trials: expected.sort(), served: servedAt(lastUs).sort() })
    heldOut += expected.length
    listed += replayed.served.length
  })
  fc.assert(property, { numRuns: 200, seed, endOnFailure: true })
  // For twice as many streams, over 25 seeds: 1,040 held out (standard deviation 65) and 248 listed (12).
  t.true(heldOut > 250 && listed > 50, `${heldOut} held out, ${listed} listed`)
})
