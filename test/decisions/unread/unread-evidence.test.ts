import test from 'ava'
import fc from 'fast-check'
import { blockUs } from '../../../src/decisions/unread/sessions.ts'
import { type BlockCount, type PlainUnread, UnreadEvidence } from '../../../src/decisions/unread/unread-evidence.ts'
import { inSoak, seed } from '../../_kit/soak.ts'

const settings = { floor: 0.95, alpha: 0.05 }

const makeCounts = (blocks: number, readOf: (block: number) => number = () => 0, sessions = 4): BlockCount[] =>
  Array.from({ length: blocks }, (_, nth) => ({ startUs: nth * blockUs, sessions, read: readOf(nth), pending: 0 }))

function countAll(counts: readonly BlockCount[]): UnreadEvidence {
  const evidence = new UnreadEvidence(settings, 0)
  evidence.count(counts, counts.length * blockUs)
  return evidence
}

/** Returns the number of blocks without a reading that a proof needs. */
function countToProof(sessions: number): number {
  for (let blocks = 1; ; blocks++) if (countAll(makeCounts(blocks, () => 0, sessions)).describe().proven) return blocks
}

test('a proof takes about 80 blocks, however many sessions a block has', (t) => {
  const blocks = countToProof(1)
  t.true(blocks >= 59 && blocks <= 90, `${blocks}`)
  t.is(countToProof(50), blocks)
  const before = countAll(makeCounts(blocks - 1)).describe()
  t.is(before.needsBlocks, 1)
  t.is(before.needsS, 600)
  t.like(countAll(makeCounts(blocks)).describe(), { verdict: 'pass', needsBlocks: 0, trials: blocks * 4, wrong: 0 })
})

test('a tool that is used in one session of four is refuted', (t) => {
  t.like(countAll(makeCounts(60, () => 1)).describe(), { verdict: 'fail', proven: false })
  t.like(countAll(makeCounts(1, () => 1)).describe(), { verdict: 'inconclusive' })
})

/** Judges blocks provisionally. */
function judgeAll(counts: readonly BlockCount[]): UnreadEvidence {
  const evidence = new UnreadEvidence(settings, 0)
  evidence.judge(counts, counts.length * blockUs, 0)
  return evidence
}

test('sessions that are not known yet do not refute, and do not protect a tool that is used in many', (t) => {
  // A use is known at once: of 50 sessions in each block, two blocks have one use, and nothing else is known.
  const few = makeCounts(12, () => 1, 1).map((one, nth) =>
    nth % 6 === 0 ? { ...one, pending: 49 } : { ...one, sessions: 0, read: 0, pending: 50 },
  )
  t.like(judgeAll(few).describe(), { verdict: 'inconclusive', blocks: 2, trials: 2, wrong: 2 })
  // One session in each block: blocks whose session is not known yet count, or only those with a use would.
  const sparse = makeCounts(60, () => 1, 1).map((one, nth) =>
    nth % 20 === 0 ? one : { ...one, sessions: 0, read: 0, pending: 1 },
  )
  t.like(judgeAll(sparse).describe(), { verdict: 'inconclusive', blocks: 3, trials: 3, wrong: 3 })
  const many = makeCounts(60, () => 4, 4).map((one) => ({ ...one, pending: 4 }))
  t.like(judgeAll(many).describe(), { verdict: 'fail' })
})

test('blocks that an older release counted, without the sessions that are not known, do not refute', (t) => {
  const old = makeCounts(60, () => 4).map(({ pending: _unknown, ...one }) => one)
  t.like(judgeAll(old).describe(), { verdict: 'inconclusive', wrong: 240 })
  t.like(countAll(old).describe(), { verdict: 'fail' })
})

test('a burst is one observation', (t) => {
  const burst = countAll(makeCounts(1, () => 0, 10_000)).describe()
  const one = countAll(makeCounts(1, () => 0, 1)).describe()
  t.is(burst.evidence, one.evidence)
})

const blocks = fc.array(fc.record({ sessions: fc.integer({ min: 1, max: 5 }), read: fc.integer({ min: 0, max: 1 }) }), {
  minLength: 1,
  maxLength: 60,
})
const toCounts = (all: readonly { sessions: number; read: number }[]): BlockCount[] =>
  all.map((one, nth) => ({ ...one, startUs: nth * blockUs, pending: 0 }))

test('blocks that are counted provisionally and then finally give the same result as blocks that are counted once', (t) => {
  const property = fc.property(blocks, fc.nat(), (all, cut) => {
    const counts = toCounts(all)
    const final = (cut % (counts.length + 1)) * blockUs
    const [past, recent] = [counts.filter((one) => one.startUs < final), counts.filter((one) => one.startUs >= final)]
    const evidence = new UnreadEvidence(settings, 0)
    // At first, no block had a reading.
    evidence.judge(
      counts.map((one) => ({ ...one, read: 0 })),
      counts.length * blockUs,
      0,
    )
    t.true(evidence.goBackTo(0))
    evidence.judge(counts, counts.length * blockUs, 0)
    evidence.count(past, final)
    t.deepEqual(evidence.describe(), countAll(counts).describe())
    t.is(recent.length + past.length, counts.length)
  })
  fc.assert(property, { numRuns: inSoak(20, 50), seed })
})

test('evidence that was written and read continues as evidence that was not', (t) => {
  const property = fc.property(blocks, blocks, (before, after) => {
    const counts = toCounts([...before, ...after])
    const early = counts.slice(0, before.length)
    const one = new UnreadEvidence(settings, 0)
    one.count(early, early.length * blockUs)
    one.judge(counts.slice(before.length), counts.length * blockUs, 7)
    const two = UnreadEvidence.read(JSON.parse(JSON.stringify(one.write())) as PlainUnread)
    t.deepEqual(two.describe(), one.describe())
    for (const evidence of [one, two]) evidence.count(counts.slice(before.length), counts.length * blockUs)
    t.deepEqual(two.describe(), one.describe())
    t.deepEqual(two.write(), one.write())
  })
  fc.assert(property, { numRuns: inSoak(20, 50), seed })
})

test('evidence above the largest number is still the largest after it was written and read', (t) => {
  const bold = new UnreadEvidence({ floor: 0.5, alpha: 0.05 }, 0)
  bold.count(makeCounts(1_200), 1_200 * blockUs)
  const read = UnreadEvidence.read(JSON.parse(JSON.stringify(bold.write())) as PlainUnread)
  t.true((read.describe().points.at(-1)?.evidence ?? 0) > 1e300)
  t.deepEqual(read.describe(), bold.describe())
})

test('an execution that comes late is counted, unless its block was counted for good', (t) => {
  const evidence = new UnreadEvidence(settings, 0)
  evidence.count(makeCounts(3), 3 * blockUs)
  evidence.judge(makeCounts(6).slice(3), 6 * blockUs, 0)
  t.true(evidence.goBackTo(7 * blockUs))
  t.is(evidence.judgedUntilUs, 6 * blockUs)
  t.true(evidence.goBackTo(4 * blockUs + 5))
  t.is(evidence.judgedUntilUs, 4 * blockUs)
  t.is(evidence.describe().blocks, 4)
  t.false(evidence.goBackTo(2 * blockUs))
  t.false(evidence.goBackTo(-blockUs))
})

test('after a verdict against the rule, earlier evidence does not count', (t) => {
  const anew = countAll(makeCounts(100)).restart(100 * blockUs + 1)
  t.like(anew.describe(), { proven: false, blocks: 0, trials: 0 })
  t.is(anew.sinceUs, 101 * blockUs)
  t.true(anew.goBackTo(0))
  t.is(anew.judgedUntilUs, 101 * blockUs)
})
