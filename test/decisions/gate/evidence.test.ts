// The chance of a false pass, at any time, for a tool of which exactly one result in twenty is wrong; and bounds of the share.
import test from 'ava'
import { BlockEvidence, shareSteps } from '../../../src/decisions/gate/evidence.ts'
import { blocksLacking, lowerShare, upperShare } from '../../../src/decisions/gate/verdict.ts'
import { inSoak } from '../../_kit/soak.ts'
import { makeRng } from './_scenarios.ts'

const floor = 0.95
const alpha = 0.05
const runs = 600
const blocks = 500

type Trials = (rng: () => number, add: (isWrong: boolean) => void) => void

/** Processes with one wrong result in twenty: the mean share of a block is 0.05. */
const nulls: Readonly<Record<string, Trials>> = {
  'single trials': (rng, add) => add(rng() < 0.05),
  'bursts of 20 that are all right or all wrong': (rng, add) => {
    const isWrong = rng() < 0.05
    for (let nth = 0; nth < 20; nth++) add(isWrong)
  },
  'half of one block in ten': (rng, add) => {
    const isBad = rng() < 0.1
    for (let nth = 0; nth < 20; nth++) add(isBad && nth < 10)
  },
}

/** Returns the share of runs that pass. `blockOf` assigns a trial to a block: for the control, each trial has its own block. */
function passing(trials: Trials, countsCalls: boolean, seed: number): number {
  const rng = makeRng(seed)
  let passed = 0
  for (let run = 0; run < runs; run++) {
    const evidence = new BlockEvidence(1, floor, alpha)
    let calls = 0
    for (let block = 0; block < blocks && !evidence.state.proven; block++)
      trials(rng, (isWrong) => evidence.add(countsCalls ? calls++ : block, isWrong))
    if (evidence.state.proven) passed++
  }
  return passed / runs
}

for (const [name, trials] of Object.entries(nulls)) {
  test(`a tool at the floor passes at any time in at most alpha of all runs: ${name}`, (t) => {
    // Four standard deviations above alpha.
    for (let seed = 1; seed <= inSoak(1, 3); seed += 1) {
      const share = passing(trials, false, seed)
      t.true(share <= alpha + 4 * Math.sqrt((alpha * (1 - alpha)) / runs), `${share}`)
    }
  })
}

test('a gate that counts calls instead of blocks passes bursts far too often', (t) => {
  const share = passing(nulls['bursts of 20 that are all right or all wrong']!, true, 1)
  t.true(share > 0.3, `${share}`)
})

test('about eighty right blocks pass', (t) => {
  const evidence = new BlockEvidence(1, floor, alpha)
  const lacking = blocksLacking(evidence.state.logs, floor, alpha)
  t.true(lacking > 70 && lacking < 90, `${lacking}`)
  // The next trial closes the last block.
  for (let block = 0; block < lacking; block++) evidence.add(block, false)
  t.false(evidence.state.proven)
  evidence.add(lacking, false)
  t.true(evidence.state.proven)
  t.is(blocksLacking(evidence.state.logs, floor, alpha), 0)
})

test('the bounds enclose the share of wrong, and agree with the test', (t) => {
  const evidence = new BlockEvidence(1, floor, alpha)
  t.is(upperShare(evidence.state.shares, alpha), 1)
  t.is(lowerShare(evidence.state.shares, alpha), 0)
  const rng = makeRng(5)
  for (let block = 0; block <= 2_000; block++)
    for (let nth = 0; nth < shareSteps; nth++) evidence.add(block, rng() < 0.02)
  const upper = upperShare(evidence.state.shares, alpha)
  const lower = lowerShare(evidence.state.shares, alpha)
  t.true(lower < 0.02 && upper > 0.02 && upper < 0.05, `${lower} to ${upper}`)
  t.true(evidence.state.proven)
})
