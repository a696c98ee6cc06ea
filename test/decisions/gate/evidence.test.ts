// The chance of a false pass, at any time, for a tool of which exactly one result in twenty is wrong; and bounds of the share.
import test from 'ava'
import { BlockEvidence, shareSteps } from '../../../src/decisions/gate/evidence.ts'
import { blocksLacking, lowerShare, upperShare } from '../../../src/decisions/gate/verdict.ts'
import { inSoak } from '../../_kit/soak.ts'
import { makeRng } from './_scenarios.ts'

const floor = 0.95
const alpha = 0.05
const runs = inSoak(300, 600)
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

/** Returns the share of runs that pass if half of the trials come from a sender that delivers those of six blocks at once, and errs in one of ten. */
function passingLate(waitBlocks: number): number {
  const rng = makeRng(1)
  let passed = 0
  for (let run = 0; run < runs; run++) {
    const evidence = new BlockEvidence(1, floor, alpha, waitBlocks)
    for (let block = 0; block < blocks && !evidence.state.proven; block++) {
      for (let nth = 0; nth < 5; nth++) evidence.add(block, false)
      if (block % 6 < 5) continue
      for (let late = block - 5; late <= block; late++)
        for (let nth = 0; nth < 5; nth++) evidence.add(late, rng() < 0.1)
    }
    if (evidence.state.proven) passed++
  }
  return passed / runs
}

test('trials that are delivered late count as much as others, if their blocks wait for them', (t) => {
  const share = passingLate(6)
  t.true(share <= alpha + 4 * Math.sqrt((alpha * (1 - alpha)) / runs), `${share}`)
  t.true(passingLate(0) > 0.5, 'the control')
})

test('a block closes when it has waited, and takes its own trials until then', (t) => {
  const evidence = new BlockEvidence(10, floor, alpha, 60)
  for (const [endUs, isWrong] of [
    [15, false],
    [35, false],
    [16, true],
    [25, false],
    [7, false],
    [69, false],
  ] as const)
    evidence.add(endUs, isWrong)
  t.like(evidence.state, { blocks: 0, trials: 6, wrong: 1, late: 0, firstBlock: 0 })
  evidence.add(80, false)
  t.like(evidence.state, { blocks: 2, late: 0 })
  t.is(evidence.state.shares[0], 1)
  t.is(evidence.state.shares[shareSteps / 2], 1)
  evidence.add(19, true)
  t.like(evidence.state, { blocks: 2, trials: 8, wrong: 2, late: 1 })
  t.deepEqual(evidence.waiting[0], { block: 2, trials: 2, wrong: 1 })
  evidence.close()
  t.like(evidence.state, { blocks: 6 })
})

test('trials that come when their blocks are closed form no more blocks than time has passed', (t) => {
  const evidence = new BlockEvidence(10, floor, alpha, 60)
  evidence.add(5, false)
  for (const atUs of [1_000, 1_001, 1_002]) {
    evidence.pass(atUs)
    evidence.add(6, false)
  }
  t.like(evidence.state, { blocks: 1, trials: 4, late: 3 })
  evidence.pass(1_070)
  t.like(evidence.state, { blocks: 2, late: 3 })
})

test('a long call closes no block whose calls are not known yet', (t) => {
  const evidence = new BlockEvidence(10, floor, alpha, 60)
  evidence.add(5, false)
  evidence.add(500, false, 8)
  t.like(evidence.state, { blocks: 0, trials: 2, late: 0 })
  evidence.add(15, false)
  t.like(evidence.state, { blocks: 0, trials: 3, late: 0 })
  t.deepEqual(
    evidence.waiting.map(({ block }) => block),
    [0, 1],
  )
})

test('a trial whose block is closed joins the open one', (t) => {
  const evidence = new BlockEvidence(10, floor, alpha, 60)
  evidence.add(55, false)
  evidence.pass(100)
  evidence.add(5, true)
  t.like(evidence.state, { block: 5, openTrials: 2, openWrong: 1, late: 1 })
  t.deepEqual(evidence.waiting, [])
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
