import test from 'ava'
import { addFact, type Bucket, makeBucket } from '../../src/measure/bucket.ts'
import { type CellKey, cellOf } from '../../src/measure/cell.ts'
import type { Fact } from '../../src/measure/fact.ts'
import { setNames } from '../../src/measure/members.ts'
import { encodeSet, eachSubset, mergeSet, openSet } from '../../src/measure/set-codec.ts'
import { forgetSets } from '../../src/measure/sets.ts'
import { makeRandom } from '../_kit/random.ts'
import { makeFacts } from './_facts.ts'

function count(facts: readonly Fact[]): Bucket {
  const bucket = makeBucket()
  for (const fact of facts) addFact(bucket, fact, 1)
  return bucket
}

const encode = ({ sets, cells }: Bucket): (Buffer | null)[] => setNames.map((name) => encodeSet(sets, name, cells.list))

function decode(written: readonly (Uint8Array | null)[], into = makeBucket()): Bucket {
  for (const [at, name] of setNames.entries()) mergeSet(into, name, written[at] ?? null)
  return into
}

const keyOf = ({ agentId, kind, model, tool }: CellKey): string => JSON.stringify([agentId, kind, model, tool])
const hashesOf: Record<(typeof setNames)[number], (fact: Fact) => number> = {
  traces: ({ traceHash }) => traceHash,
  sessions: ({ sessionHash }) => sessionHash,
  inputs: ({ inputHash }) => inputHash,
}

test('a written set tells its members, and those of each cell', (t) => {
  // Few members for many facts, so that cells have most of them; and many, so that they have few.
  for (const facts of [makeFacts(makeRandom(1), 6_000), makeFacts(makeRandom(2), 300)]) {
    const bucket = count(facts)
    for (const name of setNames) {
      const known = facts.filter((fact) => hashesOf[name](fact) >= 0)
      const stored = openSet(encodeSet(bucket.sets, name, bucket.cells.list) ?? Buffer.alloc(0))
      const sorted = [...new Set(known.map(hashesOf[name]))].sort((a, b) => a - b)
      t.deepEqual([...stored.hashes], sorted)
      const byCell = new Map<string, number[]>()
      eachSubset(stored, keyOf, (key, places, size) => {
        byCell.set(
          key,
          [...places.subarray(0, size)].map((place) => stored.hashes[place] ?? -1),
        )
      })
      const expected = Map.groupBy(known, keyOf)
      t.deepEqual([...byCell.keys()].sort(), [...expected.keys()].sort())
      for (const [key, own] of expected) {
        const members = [...new Set(own.map(hashesOf[name]))].sort((a, b) => a - b)
        t.deepEqual(byCell.get(key), members, `${name} of ${key}`)
      }
    }
  }
})

test('cells that nobody chooses are passed by', (t) => {
  const { cells, sets } = count(makeFacts(makeRandom(3), 2_000))
  const [first] = cells.list
  const stored = openSet(encodeSet(sets, 'traces', cells.list) ?? Buffer.alloc(0))
  const seen: string[] = []
  eachSubset(
    stored,
    (key) => (first !== undefined && keyOf(key) === keyOf(first) ? keyOf(key) : null),
    (key) => seen.push(key),
  )
  t.deepEqual(seen, [keyOf(first ?? t.fail())])
})

test('sets come back from their bytes, merged in any order', (t) => {
  for (let seed = 1; seed <= 5; seed++) {
    const random = makeRandom(seed)
    const parts = Array.from({ length: 4 }, () => makeFacts(random, random.int(400)))
    const whole = encode(count(parts.flat()))
    for (const order of [parts, parts.toReversed()]) {
      const read = makeBucket()
      for (const part of order) decode(encode(count(part)), read)
      t.deepEqual(encode(read), whole)
    }
  }
})

test('unknown sets and those with too many members stay so, and unknown ones outweigh the others', (t) => {
  const [some, more] = [count(makeFacts(makeRandom(4), 100)), encode(count(makeFacts(makeRandom(5), 100)))]
  const many = Buffer.alloc(0)
  const unknown = count(makeFacts(makeRandom(6), 100))
  forgetSets(unknown.sets)
  t.deepEqual(encode(unknown), [null, null, null])
  decode(more, unknown)
  t.deepEqual(encode(unknown), [null, null, null])
  decode([many, null, more[2] ?? null], some)
  t.deepEqual(encode(some).slice(0, 2), [many, null])
  decode([more[0] ?? null, many, more[2] ?? null], some)
  t.deepEqual(encode(some).slice(0, 2), [many, null])
  decode([null, null, null], some)
  t.deepEqual(encode(some), [null, null, null])
})

test('a set without members is not the same as one that is unknown', (t) => {
  const [empty] = encode(makeBucket())
  const stored = openSet(empty ?? Buffer.alloc(0))
  t.is(stored.hashes.length, 0)
  eachSubset(stored, keyOf, () => t.fail())
})

test('an agent id that is no UUID is not written', (t) => {
  const bucket = makeBucket()
  cellOf(bucket.cells, { agentId: 'nobody', kind: 'llm', model: null, tool: null }).members.traces.push(1)
  t.throws(() => encodeSet(bucket.sets, 'traces', bucket.cells.list), { message: /is not a UUID/ })
})

test('damaged bytes throw or read as something, never for long and never beyond their end', (t) => {
  const random = makeRandom(9)
  for (const count_ of [120, 4_000]) {
    const { sets, cells } = count(makeFacts(makeRandom(8), count_))
    const bytes = Buffer.from(encodeSet(sets, 'traces', cells.list) ?? Buffer.alloc(0))
    const read = (damaged: Buffer): void => mergeSet(makeBucket(), 'traces', damaged)
    for (let length = 1; length < bytes.length; length += 1 + random.int(5)) {
      t.throws(() => read(bytes.subarray(0, length)), { message: /corrupt/ }, String(length))
    }
    t.throws(() => read(Buffer.concat([bytes, Buffer.from([0])])), { message: /corrupt/ })
    t.throws(() => read(Buffer.concat([Buffer.from([9]), bytes.subarray(1)])), { message: /version/ })
    let refused = 0
    for (let round = 0; round < 2_000; round++) {
      const damaged = Buffer.from(bytes)
      damaged[random.int(bytes.length)] = random.int(256)
      try {
        read(damaged)
      } catch (error) {
        t.regex(String(error), /corrupt/)
        refused++
      }
    }
    t.true(refused > 200)
  }
})
