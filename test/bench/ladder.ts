// node test/bench/ladder.ts [runs a case]: the ladder on tools that change in many ways, how soon its watch notices a change, and what the
// replay costs. `test/decisions/gate/ladder-simulation.test.ts` is the short form of its first part.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Ladder, openLadder } from '../../src/decisions/gate/ladder.ts'
import { type Execution, LadderState } from '../../src/decisions/gate/replay.ts'
import { makeLadderGate, makeOldGate, settings } from '../decisions/gate/_gates.ts'
import { makeRng, scenarios, traffics } from '../decisions/gate/_scenarios.ts'
import { type Gate, type Run, simulate, spanIdOf } from '../decisions/gate/_simulate.ts'
import { type Figure, median, report } from './_report.ts'

const runsACase = Number(process.argv[2] ?? 2)
const epochUs = Date.UTC(2026, 0, 1) * 1_000

const sum = (runs: readonly Run[], of: (run: Run) => number): number => runs.reduce((total, run) => total + of(run), 0)
const percent = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(2)} %`)

/** Prints a line a case. Returns the highest share of wrong served calls of any run, and of any case after its first step down. */
function printTable(
  title: string,
  makeGate: () => Gate,
  cases: readonly string[],
): { worst: number; worstAfter: number } {
  const columns = [
    'activated',
    'median s',
    'served',
    'wrong of it',
    'worst run',
    'steps down',
    'wrong before',
    'wrong after',
  ]
  process.stdout.write(`${title}\n${' '.repeat(36)}${columns.map((name) => name.padStart(14)).join('')}\n`)
  let worst = 0
  let worstAfter = 0
  for (const name of cases) {
    for (const traffic of traffics) {
      const scenario = scenarios[name]!
      const runs = Array.from({ length: runsACase }, (_, seed) => simulate(makeGate(), scenario, traffic, seed))
      const active = runs.flatMap(({ activatedS }) => (activatedS === null ? [] : [activatedS]))
      const worstRun = Math.max(...runs.map(({ wrong, served }) => (served === 0 ? 0 : wrong / served)))
      const after = { wrong: sum(runs, (run) => run.wrongAfterStep), served: sum(runs, (run) => run.servedAfterStep) }
      worst = Math.max(worst, worstRun)
      // A share of a few calls means nothing.
      worstAfter = Math.max(worstAfter, after.served <= 200 ? 0 : after.wrong / after.served)
      const cells = [
        `${active.length}/${runs.length}`,
        active.length === 0 ? '-' : String(median(active)),
        percent(
          sum(runs, (run) => run.served),
          sum(runs, (run) => run.calls),
        ),
        percent(
          sum(runs, (run) => run.wrong),
          sum(runs, (run) => run.served),
        ),
        percent(worstRun, 1),
        String(sum(runs, (run) => run.stepsDown)),
        String(sum(runs, (run) => run.wrongBeforeStep)),
        `${after.wrong}/${after.served}`,
      ]
      const where = `${name}, ${scenario.rate ?? traffic.rate}/s ${traffic.inputs}`
      process.stdout.write(`  ${where.padEnd(34)}${cells.map((cell) => cell.padStart(14)).join('')}\n`)
    }
  }
  process.stdout.write('\n')
  return { worst, worstAfter }
}

type Delay = { readonly trials: number; readonly wrong: number; readonly isNoticed: boolean }

/** From a change on, this share of results is new at each call. Counts trials until the first step down, or for 200,000 calls. */
function measureDelay(drift: number, cleanHours: number, seed: number): Delay {
  const gate = makeLadderGate()
  const rng = makeRng(seed)
  const maxCalls = 200_000
  let trials = 0
  let wrong = 0
  let t = 0
  let drifts = false
  for (let calls = 0; calls < maxCalls; calls += drifts ? 1 : 0) {
    t += 0.1
    drifts ||= gate.servedS() !== null && t > cleanHours * 3_600
    const atUs = epochUs + Math.round(t * 1e6)
    const inputHash = `input:${Math.floor(rng() * 20)}`
    const contentHash = drifts && rng() < drift ? String(rng()) : 'usual'
    const stored = gate.servedS() === null ? null : gate.lookUp(inputHash, atUs)
    if (stored !== null && rng() >= settings.holdoutRate) {
      if (stored !== contentHash) wrong++
      continue
    }
    if (drifts && stored !== null) trials++
    const ids = { traceId: '0', spanId: spanIdOf(rng), isHeldOut: stored !== null }
    gate.observe({ startUs: atUs, endUs: atUs, inputHash, contentHash, isError: false, ...ids })
    if (gate.stepsDown() > 0) return { trials, wrong, isNoticed: true }
  }
  // Inputs that never repeat are no longer served, without a step down.
  return { trials, wrong, isNoticed: false }
}

function measureDelays(): Figure[] {
  const figures: Figure[] = []
  for (const cleanHours of [0, 12]) {
    for (const drift of [0.05, 0.1, 0.5, 1]) {
      const delays = Array.from({ length: 9 }, (_, seed) => measureDelay(drift, cleanHours, seed))
      const name = `drift of ${100 * drift} % after ${cleanHours === 0 ? 'activation' : `${cleanHours} h`}`
      const stepped = delays.filter(({ isNoticed }) => isNoticed).length
      figures.push({ name: `${name}: steps down`, value: stepped / delays.length, unit: 'of 1' })
      figures.push({ name: `${name}: trials`, value: median(delays.map(({ trials }) => trials)), unit: '' })
      figures.push({ name: `${name}: wrong servings`, value: median(delays.map(({ wrong }) => wrong)), unit: '' })
    }
  }
  return figures
}

const hashOf = (nth: number): string => `sha256:${nth.toString(16).padStart(64, '0')}`

/** Returns executions that cycle through `inputs` inputs. */
function makeExecutions(count: number, inputs: number): Execution[] {
  const rng = makeRng(1)
  return Array.from({ length: count }, (_, nth) => {
    const startUs = epochUs + nth * 250_000
    const contentHash = hashOf(Math.floor(rng() * 1.01))
    const ids = { traceId: '0'.repeat(32), spanId: spanIdOf(rng), isHeldOut: false }
    return { startUs, endUs: startUs + 40_000, inputHash: hashOf(nth % inputs), contentHash, isError: false, ...ids }
  })
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Returns the memory in use after a garbage collection. */
function usedBytes(): number {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function measureCost(): Figure[] {
  const executions = makeExecutions(200_000, 50)
  const state = new LadderState(settings)
  const before = process.cpuUsage()
  for (let at = 0; at < executions.length; at += 1_000)
    state.replay(executions.slice(at, at + 1_000), { servingSinceUs: null })
  const { user, system } = process.cpuUsage(before)
  const tools = 500
  const inputs = 1_000
  const some = makeExecutions(2 * inputs, inputs)
  const ladders: Ladder[] = []
  const usedBefore = usedBytes()
  for (let tool = 0; tool < tools; tool++) {
    const ladder = openLadder(settings)
    // Each tool has its own hashes, as in the service.
    const own = some.map((each) => ({
      ...each,
      inputHash: `${each.inputHash.slice(0, -8)}${String(tool).padStart(8, '0')}`,
    }))
    ladder.replay(
      own.map((each, nth) => ({
        ...each,
        inputHash: each.inputHash.replace(':0000', `:${String(nth % inputs).padStart(4, '0')}`),
      })),
      { servingSinceUs: null },
    )
    ladders.push(ladder)
  }
  const used = usedBytes() - usedBefore
  const bytes = ladders[0]!.write().length
  return [
    {
      name: '1,000 executions on all rungs',
      value: (user + system) / 1_000 / (executions.length / 1_000),
      unit: 'ms CPU',
    },
    {
      name: '500 tools of 1,000 inputs, by bytes()',
      value: ladders.reduce((total, ladder) => total + ladder.bytes(), 0) / 2 ** 20,
      unit: 'MiB',
    },
    { name: '500 tools of 1,000 inputs, in memory', value: used / 2 ** 20, unit: 'MiB' },
    { name: 'one of them written', value: bytes / 1_024, unit: 'KiB' },
  ]
}

const all = Object.keys(scenarios)
// A tool beyond the floor passes with a probability of alpha, and then its served results are as wrong as the tool's.
const beyond = printTable('the ladder beyond the floor', makeLadderGate, ['noise 6 %'])
const ladder = printTable(
  'the ladder',
  makeLadderGate,
  all.filter((name) => name !== 'noise 6 %'),
)
const old = printTable('control: the gate that counts calls', makeOldGate, [
  'every 5 s',
  'every 400 calls',
  'hourly',
  'errors from noon',
])
report('ladder', { runs_a_case: runsACase }, [
  { name: 'worst share of wrong among the served of a run', value: ladder.worst, unit: 'of 1', ceiling: 0.043 },
  { name: 'worst share of wrong after the first step down', value: ladder.worstAfter, unit: 'of 1', ceiling: 0.05 },
  { name: 'worst share of wrong beyond the floor', value: beyond.worst, unit: 'of 1' },
  { name: 'worst share of wrong by the control', value: old.worst, unit: 'of 1' },
  ...measureDelays(),
  ...measureCost(),
])
