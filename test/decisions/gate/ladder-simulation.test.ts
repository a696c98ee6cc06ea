// The guarantees of the ladder, on tools that change in many ways. `test/bench/ladder.ts` is the long form.
import test from 'ava'
import { makeLadderGate, makeOldGate } from './_gates.ts'
import { scenarios, traffics } from './_scenarios.ts'
import { type Gate, type Run, simulate } from './_simulate.ts'

// For most tools, a quarter of a day shows the whole pattern; the others begin at noon.
const quarter = 6 * 3_600
const whole = new Set(['regime from noon', 'errors from noon', 'deploys at 9, 13, 17 h'])
// Above the floor: a pass is possible with a probability of alpha, and then the served results are as wrong as the tool's.
const beyond = 'noise 6 %'
const worstRun = 0.05
const seed = 2

const runsOf = (name: string, makeGate: () => Gate): Run[] =>
  traffics
    // The bench covers ten calls a second; here only the test of deployments uses that rate, which their rule needs to activate.
    .filter(({ rate }) => rate < 10)
    .map((traffic) => simulate(makeGate(), scenarios[name]!, traffic, seed, whole.has(name) ? 86_400 : quarter))

const shareOf = (wrong: number, served: number): number => (served === 0 ? 0 : wrong / served)

for (const name of Object.keys(scenarios).filter((name) => name !== beyond)) {
  test(`at most one served result in twenty is wrong: ${name}`, (t) => {
    for (const run of runsOf(name, makeLadderGate)) {
      t.true(shareOf(run.wrong, run.served) <= worstRun, JSON.stringify(run))
      // A share of a few calls means nothing.
      if (run.servedAfterStep > 200)
        t.true(shareOf(run.wrongAfterStep, run.servedAfterStep) <= worstRun, JSON.stringify(run))
    }
  })
}

test('a constant tool is served after 14 minutes, and most of its calls are', (t) => {
  const run = simulate(makeLadderGate(), scenarios['constant']!, traffics[0], seed)
  t.true(run.activatedS !== null && run.activatedS < 900, `${run.activatedS}`)
  t.true(run.served >= 0.8 * run.calls, `${run.served} of ${run.calls}`)
  t.is(run.wrong, 0)
})

test('a result that changes sooner than it can be served is never served', (t) => {
  for (const name of ['every 5 s', 'every 20 calls']) {
    for (const run of runsOf(name, makeLadderGate)) t.is(run.activatedS, null, name)
  }
})

test('deployments that change every result end no age limit, and cause few wrong results', (t) => {
  const run = simulate(makeLadderGate(), scenarios['deploy every 10 min']!, { rate: 10, inputs: 20 }, seed, quarter)
  t.is(run.stepsDown, 0)
  t.true(run.served > 0.5 * run.calls, `${run.served} of ${run.calls}`)
  t.true(run.wrong < 0.015 * run.served, `${run.wrong} of ${run.served}`)
})

test('the control: a gate that counts calls exceeds the same limit', (t) => {
  const failed = ['every 400 calls', 'hourly', 'errors from noon'].map((name) =>
    runsOf(name, makeOldGate).some(({ wrong, served }) => shareOf(wrong, served) > worstRun),
  )
  t.deepEqual(failed, [true, true, true])
})
