import test from 'ava'
import { addFact, type Bucket, makeBucket, makeSketchedBucket, mergeBucket } from '../../src/sketches/bucket.ts'
import type { CellKey } from '../../src/sketches/cell.ts'
import { layOutCells } from '../../src/sketches/cells-codec.ts'
import type { Fact } from '../../src/sketches/fact.ts'
import { readMembers } from '../../src/sketches/members-codec.ts'
import { encodeRow, mergeRow, type RowBytes } from '../../src/sketches/row-codec.ts'
import { dropMembers, type SetName, setNames } from '../../src/sketches/sets.ts'
import { eachSubset, hasSets, openSets } from '../../src/sketches/sets-codec.ts'
import { makeRandom } from '../_kit/random.ts'
import { inSoak, isSoak } from '../_kit/soak.ts'
import { digests } from './_digests.ts'
import { makeFacts } from './_facts.ts'

function count(facts: readonly Fact[], bucket = makeBucket()): Bucket {
  for (const fact of facts) addFact(bucket, fact, 1)
  return bucket
}

const encode = (bucket: Bucket): RowBytes => encodeRow(bucket)
const setsOf = (bucket: Bucket): Buffer => encode(bucket).sets ?? Buffer.alloc(0)

const keyOf = ({ agentId, kind, model, tool }: CellKey): string => JSON.stringify([agentId, kind, model, tool])
const hashesOf: Record<SetName, (fact: Fact) => number> = {
  traces: ({ traceHash }) => traceHash,
  sessions: ({ sessionHash }) => sessionHash,
  inputs: ({ inputHash }) => inputHash,
}

const sort = (hashes: Iterable<number>): number[] => [...new Set(hashes)].sort((a, b) => a - b)

test('written sets contain their members, and those of each cell and agent', (t) => {
  // Few members for many facts, so that cells have most of them; and many members, so that cells have few.
  for (const facts of [makeFacts(makeRandom(1), 6_000), makeFacts(makeRandom(2), 300)]) {
    const { agents, cells, sections } = openSets(setsOf(count(facts)))
    t.deepEqual(cells.map(keyOf).sort(), [...new Set(facts.map(keyOf))].sort())
    for (const name of setNames) {
      const known = facts.filter((fact) => hashesOf[name](fact) >= 0)
      const section = sections[name] ?? t.fail()
      const hashes = readMembers(section)
      t.deepEqual([...hashes], sort(known.map(hashesOf[name])))
      const owners = name === 'sessions' ? agents : cells.map(keyOf)
      const found = new Map<string, number[]>()
      eachSubset(section, hashes.length, owners.length, (owner, places) => {
        found.set(
          owners[owner] ?? '',
          places.map((place) => hashes[place] ?? -1),
        )
      })
      const expected = Map.groupBy(known, (fact) => (name === 'sessions' ? fact.agentId : keyOf(fact)))
      t.deepEqual(
        found,
        new Map([...found.keys()].map((key) => [key, sort((expected.get(key) ?? []).map(hashesOf[name]))])),
      )
      t.is(found.size, expected.size)
    }
  }
})

test('sets come back from their bytes, and are united in any order, whatever is written of them', (t) => {
  for (let seed = 1; seed <= inSoak(2, 5); seed++) {
    const random = makeRandom(seed)
    const parts = Array.from({ length: 4 }, () => makeFacts(random, random.int(400)))
    const whole = encode(count(parts.flat()))
    for (const order of [parts, parts.toReversed()]) {
      const [read, merged] = [makeBucket(), makeBucket()]
      for (const part of order) {
        mergeRow(read, encode(count(part)))
        mergeBucket(merged, count(part))
      }
      t.deepEqual(digests(encode(read)), digests(whole))
      t.deepEqual(digests(encode(merged)), digests(whole))
    }
  }
})

test('sketches are the same whether they are made of known sets or were there from the start', (t) => {
  for (const facts of [makeFacts(makeRandom(3), 2_000), makeMany(2_500)]) {
    const known = encode(count(facts))
    const sketched = encode(count(facts, makeSketchedBucket()))
    t.not(known.sets, null)
    t.is(sketched.sets, null)
    t.deepEqual(digests(known.cells), digests(sketched.cells))
    // Except the head, which holds their number.
    const [one, other] = [makeSketchedBucket(), makeSketchedBucket()]
    mergeRow(one, { ...known, sets: null })
    mergeRow(other, sketched)
    t.deepEqual(digests(encode(one)), digests(encode(other)))
  }
})

/** Facts with so many traces, sessions and inputs that lists do not hold them. */
const makeMany = (things: number): Fact[] =>
  makeFacts(makeRandom(4), things).map((fact, nth) => ({
    ...fact,
    agentId: '00000000-0000-7000-8000-00000000000a',
    kind: 'tool',
    model: null,
    tool: 'search',
    traceHash: (nth + 1) * 7_777_777_777,
    sessionHash: (nth + 1) * 8_888_888_888,
    inputHash: (nth + 1) * 9_999_999_999,
  }))

/** Without one set because it has too many members, or without all of them. */
const absences: readonly (readonly ['unknown' | 'many', readonly SetName[]])[] = [
  ['unknown', setNames],
  ...setNames.map((name) => ['many', [name]] as const),
]

test('a set that is absent in one part is absent in all, and has its sketches', (t) => {
  const parts = [makeFacts(makeRandom(5), 700), makeMany(2_200), makeFacts(makeRandom(6), 300)]
  const expected = encode(count(parts.flat(), makeSketchedBucket()))
  for (const absent of parts.keys()) {
    // By default, each is absent in one of the parts.
    for (const [absence, names] of absences.filter((_, at) => isSoak || at % parts.length === absent)) {
      const buckets = parts.map((part) => count(part))
      for (const name of names) dropMembers(buckets[absent] ?? t.fail(), name, absence)
      const [read, merged] = [makeBucket(), makeBucket()]
      for (const bucket of buckets) {
        mergeBucket(merged, bucket)
        mergeRow(read, encode(bucket))
      }
      for (const name of names) t.is(merged.sets[name], absence)
      for (const row of [encode(merged), encode(read)]) {
        t.deepEqual(digests(row.cells), digests(expected.cells), `${absent} ${names.join()} ${absence}`)
        t.is(row.sets === null, absence === 'unknown')
        if (row.sets === null) continue
        t.false(hasSets(row.sets, names))
        t.true(
          hasSets(
            row.sets,
            setNames.filter((one) => !names.includes(one)),
          ),
        )
      }
    }
  }
})

test('unknown takes precedence over too many', (t) => {
  const [many, unknown] = [count(makeFacts(makeRandom(7), 100)), makeSketchedBucket()]
  dropMembers(many, 'traces', 'many')
  mergeBucket(many, unknown)
  for (const name of setNames) t.is(many.sets[name], 'unknown')
  dropMembers(many, 'traces', 'many')
  t.is(many.sets.traces, 'unknown')
})

test('sets without members are not the same as those that are absent', (t) => {
  const sets = setsOf(makeBucket())
  t.true(hasSets(sets, setNames))
  const { sections } = openSets(sets)
  for (const name of setNames) t.is(readMembers(sections[name] ?? t.fail()).length, 0)
})

test('a subtraction leaves the same sets, as long as the members remain; a cell without events has none', (t) => {
  const facts = makeFacts(makeRandom(8), 500)
  const bucket = count(facts)
  const [first = t.fail()] = facts
  const moved: Fact = { ...first, tool: 'another', model: 'another' }
  addFact(bucket, moved, 1)
  addFact(bucket, moved, -1)
  t.deepEqual(digests(encode(bucket)), digests(encode(count(facts))))
  t.is(bucket.cells.list.length, layOutCells(bucket.cells).cells.length + 1)
})

test('damaged bytes of sets throw or read as something, never for long and never beyond their end', (t) => {
  const random = makeRandom(9)
  for (const facts of [makeFacts(makeRandom(10), 120), makeFacts(makeRandom(11), 1_500)]) {
    const row = encode(count(facts))
    const bytes = Buffer.from(row.sets ?? Buffer.alloc(0))
    const readers = [
      (sets: Buffer): unknown => mergeRow(makeBucket(), { ...row, sets }),
      (sets: Buffer): void => {
        const { agents, cells, sections } = openSets(sets)
        for (const name of setNames) {
          const section = sections[name]
          if (section === null) continue
          const owners = name === 'sessions' ? agents.length : cells.length
          eachSubset(section, readMembers(section).length, owners, () => undefined)
        }
      },
    ]
    for (const read of readers) {
      for (let length = 0; length < bytes.length; length += 1 + random.int(bytes.length / inSoak(30, 100))) {
        t.throws(() => read(bytes.subarray(0, length)), { message: /corrupt/ }, String(length))
      }
      t.throws(() => read(Buffer.concat([bytes, Buffer.from([0])])), { message: /corrupt/ })
      t.throws(() => read(Buffer.concat([Buffer.from([9]), bytes.subarray(1)])), { message: /version/ })
      let refused = 0
      for (let round = 0; round < inSoak(80, 300); round++) {
        const damaged = Buffer.from(bytes)
        damaged[random.int(bytes.length)] = random.int(256)
        try {
          read(damaged)
        } catch (error) {
          t.regex(String(error), /corrupt|newer release/)
          refused++
        }
      }
      t.true(refused > 8)
    }
  }
})
