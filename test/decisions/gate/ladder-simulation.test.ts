// The guarantees of the ladder, on tools that change in many ways. `test/bench/ladder.ts` is the long form.
import test from 'ava'
import { inSoak } from '../../_kit/soak.ts'
import { makeLadderGate, makeOldGate } from './_gates.ts'
import { scenarios, traffics } from './_scenarios.ts'
import { type Gate, type Run, simulate } from './_simulate.ts'

// For most tools, some hours show the whole pattern. Of the others, one is served more with each hour, and the rest begin at noon.
const someHoursS = inSoak(4, 6) * 3_600
const whole = new Set(['constant', 'regime from noon', 'errors from noon', 'deploys at 9, 13, 17 h'])
// Above the floor: a pass is possible with a probability of alpha, and then the served results are as wrong as the tool's.
const beyond = 'noise 6 %'
const worstRun = 0.05
const seed = 2

const play = (name: string, makeGate: () => Gate): Run[] =>
  traffics
    // The bench covers ten calls a second; here only deployments have that rate, which their rule needs to activate, and one number of inputs.
    .filter(({ rate }, nth) => rate < 10 && (nth === 0 || scenarios[name]!.rate === undefined))
    .map((traffic) => simulate(makeGate(), scenarios[name]!, traffic, seed, whole.has(name) ? 86_400 : someHoursS))

const played = new Map<string, Run[]>()
/** Several tests look at the same runs. */
function runsOf(name: string): Run[] {
  const runs = played.get(name) ?? play(name, makeLadderGate)
  played.set(name, runs)
  return runs
}

const shareOf = (wrong: number, served: number): number => (served === 0 ? 0 : wrong / served)

for (const name of Object.keys(scenarios).filter((name) => name !== beyond)) {
  test(`at most one served result in twenty is wrong: ${name}`, (t) => {
    for (const run of runsOf(name)) {
      t.true(shareOf(run.wrong, run.served) <= worstRun, JSON.stringify(run))
      // A share of a few calls means nothing.
      if (run.servedAfterStep > 200)
        t.true(shareOf(run.wrongAfterStep, run.servedAfterStep) <= worstRun, JSON.stringify(run))
    }
  })
}

test('a constant tool is served after 15 minutes, and most of its calls are', (t) => {
  const run = runsOf('constant')[0]!
  t.true(run.activatedS !== null && run.activatedS < 900, `${run.activatedS}`)
  t.true(run.served >= 0.8 * run.calls, `${run.served} of ${run.calls}`)
  t.is(run.wrong, 0)
})

test('a result that changes sooner than it can be served is never served', (t) => {
  for (const name of ['every 5 s', 'every 20 calls']) {
    for (const run of runsOf(name)) t.is(run.activatedS, null, name)
  }
})

test('deployments that change every result end no age limit, and cause few wrong results', (t) => {
  const run = runsOf('deploy every 10 min')[0]!
  t.is(run.stepsDown, 0)
  t.true(run.served > 0.5 * run.calls, `${run.served} of ${run.calls}`)
  t.true(run.wrong < 0.015 * run.served, `${run.wrong} of ${run.served}`)
})

test('the control: a gate that counts calls exceeds the same limit', (t) => {
  const failed = ['every 400 calls', 'hourly', 'errors from noon'].map((name) =>
    play(name, makeOldGate).some(({ wrong, served }) => shareOf(wrong, served) > worstRun),
  )
  t.deepEqual(failed, [true, true, true])
})
