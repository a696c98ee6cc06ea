import test from 'ava'
import { addFact, type Bucket, isBlank, makeSketchedBucket, makeTotal, mergeBucket } from '../../src/sketches/bucket.ts'
import { openReader } from '../../src/sketches/byte-reader.ts'
import { type CellKey, cellOf, makeCellSums, maxCells, mergeSums } from '../../src/sketches/cell.ts'
import { encodeCells, mergeCells, readCells } from '../../src/sketches/cells-codec.ts'
import { counterAt, isModelCall, makeCounters, mergeCounters } from '../../src/sketches/counters.ts'
import { makeDistinct } from '../../src/sketches/distinct.ts'
import { countDistinct } from '../../src/sketches/distinct-estimate.ts'
import { quantileUs } from '../../src/sketches/durations.ts'
import { type Fact, makeFact } from '../../src/sketches/fact.ts'
import { encodeTotal, mergeTotal, mergeTotalSums, readEvents } from '../../src/sketches/total-codec.ts'
import { makeRandom } from '../_kit/random.ts'
import { inSoak } from '../_kit/soak.ts'
import { digests } from './_digests.ts'
import { makeFacts } from './_facts.ts'

function count(facts: readonly Fact[]): Bucket {
  const bucket = makeSketchedBucket()
  for (const fact of facts) addFact(bucket, fact, 1)
  return bucket
}

const encode = (bucket: Bucket): Buffer[] => [Buffer.from(encodeTotal(bucket)), Buffer.from(encodeCells(bucket))]

function decode([total, cells]: readonly Buffer[], into = makeSketchedBucket()): Bucket {
  mergeTotal(into.total, total ?? Buffer.alloc(0))
  mergeCells(into.cells, cells ?? Buffer.alloc(0))
  return into
}

const sum = (facts: readonly Fact[], read: (fact: Fact) => number): number =>
  facts.reduce((total, fact) => total + read(fact), 0)
const usd = (picos: number | undefined): number => (picos ?? 0) / 1e12

test('the counters are those of plain code', (t) => {
  const facts = makeFacts(makeRandom(1), 2_000)
  const { total } = count(facts)
  const counted = facts.filter((fact) => fact.counted)
  const is = (name: keyof typeof counterAt, expected: number): boolean =>
    t.is(total.counters[counterAt[name]], expected, name)
  is('events', 2_000)
  is('errors', facts.filter(({ error }) => error).length)
  is('counted', counted.length)
  is('llmCalls', counted.filter(({ kind }) => kind === 'llm').length)
  is('toolCalls', counted.filter(({ kind }) => kind === 'tool').length)
  is('servedCalls', counted.filter(({ kind, served }) => kind === 'tool' && served).length)
  is('unpricedCalls', counted.filter((fact) => fact.unpriced && isModelCall(fact)).length)
  is(
    'inputTokens',
    sum(counted, ({ inputTokens }) => inputTokens),
  )
  is(
    'outputTokens',
    sum(counted, ({ outputTokens }) => outputTokens),
  )
  is(
    'cachedTokens',
    sum(counted, ({ cachedTokens }) => cachedTokens),
  )
  is(
    'cacheWriteTokens',
    sum(counted, ({ cacheWriteTokens }) => cacheWriteTokens),
  )
  is(
    'reasoningTokens',
    sum(counted, ({ reasoningTokens }) => reasoningTokens),
  )
  const cost = sum(counted, ({ costUsd }) => costUsd || 0)
  const savings = sum(counted, ({ cacheSavingsUsd }) => cacheSavingsUsd || 0)
  t.true(Math.abs(usd(total.counters[counterAt.costPicoUsd]) - cost) < 1e-9)
  t.true(Math.abs(usd(total.counters[counterAt.savingsPicoUsd]) - savings) < 1e-9)
  t.is(countDistinct(total.traces), new Set(facts.map(({ traceHash }) => traceHash)).size)
  t.is(countDistinct(total.sessions), new Set(facts.map(({ sessionHash }) => sessionHash)).size - 1)
  t.deepEqual(
    new Map([...total.models].map(([model, counters]) => [model, counters[counterAt.events]])),
    new Map(
      [...Map.groupBy(counted.filter(isModelCall), ({ model }) => model)].map(([model, calls]) => [
        model,
        calls.length,
      ]),
    ),
  )
})

test('the total is the sum of the cells', (t) => {
  const bucket = count(makeFacts(makeRandom(2), 3_000))
  const counters = makeCounters()
  const sums = makeCellSums()
  for (const cell of bucket.cells.list) {
    mergeCounters(counters, cell.counters)
    mergeSums(sums, cell)
  }
  t.deepEqual(counters, bucket.total.counters)
  t.is(countDistinct(sums.traces), countDistinct(bucket.total.traces))
  for (const share of [0.5, 0.95]) t.is(quantileUs(sums.durations, share), quantileUs(bucket.total.durations, share))
  t.true(bucket.cells.list.length > 100)
})

test('merging is associative and commutative byte by byte, of buckets and of their bytes', (t) => {
  for (let seed = 1; seed <= inSoak(2, 5); seed++) {
    const random = makeRandom(seed)
    const parts = Array.from({ length: 4 }, () => makeFacts(random, random.int(400)))
    const whole = encode(count(parts.flat()))
    for (const order of [parts, parts.toReversed()]) {
      const merged = makeSketchedBucket()
      const read = makeSketchedBucket()
      for (const part of order) {
        mergeBucket(merged, count(part))
        decode(encode(count(part)), read)
      }
      t.deepEqual(digests(encode(merged)), digests(whole))
      t.deepEqual(digests(encode(read)), digests(whole))
    }
    const [first = [], ...others] = parts
    const right = makeSketchedBucket()
    for (const part of others) mergeBucket(right, count(part))
    const left = count(first)
    mergeBucket(left, right)
    t.deepEqual(digests(encode(left)), digests(whole))
  }
})

test('a subtraction leaves the same bytes, as long as the traces remain in other events', (t) => {
  const facts = makeFacts(makeRandom(4), 1_000)
  // The same traces, sessions and inputs in the same cells, with other durations and costs.
  const gone = facts
    .slice(0, 300)
    .map((fact) => ({ ...fact, durationUs: 77, inputTokens: 5, costUsd: 0.1, error: true }))
  const bucket = count([...facts, ...gone])
  t.notDeepEqual(digests(encode(bucket)), digests(encode(count(facts))))
  for (const fact of gone) addFact(bucket, fact, -1)
  t.deepEqual(digests(encode(bucket)), digests(encode(count(facts))))
})

test('a bucket that lost its last event has the bytes of an empty one', (t) => {
  const facts = makeFacts(makeRandom(5), 500)
  const bucket = count(facts)
  t.false(isBlank(bucket))
  for (const fact of facts) addFact(bucket, fact, -1)
  t.true(isBlank(bucket))
  t.deepEqual(digests(encode(bucket)), digests(encode(makeSketchedBucket())))
})

test('an event that moves to another cell leaves the old one, and the other cells as they were', (t) => {
  const facts = makeFacts(makeRandom(6), 50)
  const lone: Fact = { ...makeFact(), agentId: '00000000-0000-7000-8000-00000000000f', kind: 'llm', traceHash: 7 }
  const settled: Fact = { ...lone, agentId: facts[0]?.agentId ?? '' }
  const bucket = count([...facts, lone])
  addFact(bucket, lone, -1)
  addFact(bucket, settled, 1)
  t.deepEqual(digests(encode(bucket)), digests(encode(count([...facts, settled]))))
})

test('sums beyond the range of integers are as exact as a float', (t) => {
  const huge: Fact = { ...makeFact(), agentId: '00000000-0000-7000-8000-000000000001', counted: true, costUsd: 1e8 }
  huge.inputTokens = Number.MAX_SAFE_INTEGER
  const bucket = count(Array.from({ length: 2_000 }, () => huge))
  const read = decode(encode(bucket))
  t.deepEqual(read.total.counters, bucket.total.counters)
  t.true(Math.abs((read.total.counters[counterAt.inputTokens] ?? 0) / (2_000 * Number.MAX_SAFE_INTEGER) - 1) < 1e-12)
  t.true(Math.abs(usd(read.total.counters[counterAt.costPicoUsd]) / 2e11 - 1) < 1e-12)
})

test('names that are never the same twice fill a bucket to its bounds, and nothing is lost', (t) => {
  const bucket = makeSketchedBucket()
  for (let number = 0; number < 6_000; number++) {
    const model = `model ${number}`
    addFact(
      bucket,
      { ...makeFact(), agentId: '00000000-0000-7000-8000-000000000001', kind: 'llm', counted: true, model },
      1,
    )
  }
  t.is(bucket.cells.list.length, maxCells + 1)
  t.is(bucket.cells.list.at(-1)?.model, 'other')
  t.is(bucket.cells.list.at(-1)?.counters[counterAt.events], 6_000 - maxCells)
  t.is(bucket.total.models.size, 1_001)
  t.deepEqual(digests(encode(decode(encode(bucket)))), digests(encode(bucket)))
})

test('cells that are not wanted are stepped over, and parts that are not wanted stay empty', (t) => {
  const facts = makeFacts(makeRandom(7), 2_000)
  const bucket = count(facts)
  const [, cells = Buffer.alloc(0)] = encode(bucket)
  const tools = makeCellSums()
  const parts = { durations: true, traces: true, inputs: false }
  const sessions = makeDistinct(12)
  const [agent = ''] = bucket.cells.sessions.keys()
  readCells(
    openReader(cells),
    parts,
    (key: CellKey) => (key.kind === 'tool' ? tools : null),
    (agentId) => (agentId === agent ? sessions : null),
  )
  const expected = makeCellSums()
  for (const cell of bucket.cells.list) if (cell.kind === 'tool') mergeSums(expected, cell)
  t.deepEqual(tools.counters, expected.counters)
  t.is(countDistinct(tools.traces), countDistinct(expected.traces))
  t.is(quantileUs(tools.durations, 0.5), quantileUs(expected.durations, 0.5))
  t.is(countDistinct(tools.inputs), 0)
  const ofAgent = facts.filter(({ agentId, sessionHash }) => agentId === agent && sessionHash >= 0)
  t.is(countDistinct(sessions), new Set(ofAgent.map(({ sessionHash }) => sessionHash)).size)
})

test('an agent id that is no UUID is not written', (t) => {
  const bucket = makeSketchedBucket()
  cellOf(bucket.cells, { agentId: 'nobody', kind: 'llm', model: null, tool: null }).counters[0] = 1
  t.throws(() => encodeCells(bucket), { message: /is not a UUID/ })
})

test('damaged bytes of buckets throw or read as something, never for long and never beyond their end', (t) => {
  const [total = Buffer.alloc(0), cells = Buffer.alloc(0)] = encode(count(makeFacts(makeRandom(8), 25)))
  const random = makeRandom(9)
  for (const [bytes, read] of [
    [total, (damaged: Buffer) => mergeTotal(makeSketchedBucket().total, damaged)],
    [cells, (damaged: Buffer) => mergeCells(makeSketchedBucket().cells, damaged)],
  ] as const) {
    for (let length = 0; length < bytes.length; length += 1 + random.int(3)) {
      t.throws(() => read(bytes.subarray(0, length)), { message: /corrupt/ }, String(length))
    }
    t.throws(() => read(Buffer.concat([bytes, Buffer.from([0])])), { message: /corrupt/ })
    t.throws(() => read(Buffer.concat([Buffer.from([9]), bytes.subarray(1)])), { message: /version/ })
    let refused = 0
    for (let round = 0; round < inSoak(500, 2_000); round++) {
      const damaged = Buffer.from(bytes)
      damaged[random.int(bytes.length)] = random.int(256)
      try {
        read(damaged)
      } catch (error) {
        t.regex(String(error), /corrupt|newer release/)
        refused++
      }
    }
    t.true(refused > 50)
  }
})

test('events and sums of a written total can be read without the rest', (t) => {
  const bucket = count(makeFacts(makeRandom(10), 1_500))
  const [total = Buffer.alloc(0)] = encode(bucket)
  t.is(readEvents(total), 1_500)
  const { counters, durations, traces } = makeTotal()
  mergeTotalSums({ counters, durations, traces }, total)
  t.deepEqual(counters, bucket.total.counters)
  t.is(countDistinct(traces), countDistinct(bucket.total.traces))
  t.is(quantileUs(durations, 0.95), quantileUs(bucket.total.durations, 0.95))
})
