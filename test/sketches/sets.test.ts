// The sets from which up to 100,000 members are counted exactly, from deltas through minutes and hours to a day. Only the soak takes as many
// through the hours of a day; otherwise as many are counted in one minute.
import test from 'ava'
import { type Bucket, makeBucket, mergeBucket } from '../../src/sketches/bucket.ts'
import { type CellKey, cellOf, maxCells } from '../../src/sketches/cell.ts'
import { addToDelta, type Delta, encodeDelta, mergeStoredDelta } from '../../src/sketches/delta.ts'
import { countDistinct } from '../../src/sketches/distinct-estimate.ts'
import { type Fact, hashInput, makeFact } from '../../src/sketches/fact.ts'
import { hashText48 } from '../../src/sketches/hash.ts'
import { readMembers } from '../../src/sketches/members-codec.ts'
import { encodeRow, mergeRow, type RowBytes } from '../../src/sketches/row-codec.ts'
import { addToSets, dropMembers, maxMembers, type SetName, setNames } from '../../src/sketches/sets.ts'
import { eachSubset, hasSets, openSets } from '../../src/sketches/sets-codec.ts'
import { makeRandom } from '../_kit/random.ts'
import { inSoak } from '../_kit/soak.ts'
import { digests } from './_digests.ts'

const startMs = Date.parse('2026-03-01T00:00:00Z')
const agents = [1, 2, 3].map((number) => `0000000${number}-0000-7000-8000-00000000000${number}`)
const tools = ['search', 'fetch', 'calculate']

/** Yields traces, sessions and inputs of these numbers in the first minutes of the hours of a day, some of them in two events. */
function* makeDay(first: number, end: number, minutes = 3, hours = 24): Generator<Fact> {
  const random = makeRandom(end)
  const fact = { ...makeFact(), kind: 'tool' as const, counted: true }
  for (let number = first; number < end; number++) {
    const events = random.chance(0.1) ? 2 : 1
    for (let nth = 0; nth < events; nth++) {
      fact.startUs = (startMs + random.int(hours) * 3_600_000 + random.int(minutes * 60_000)) * 1_000
      fact.agentId = random.pick(agents)
      fact.tool = tools[number % tools.length] ?? null
      fact.traceHash = hashText48(`trace ${number}`)
      fact.sessionHash = hashText48(`session ${number}`)
      fact.inputHash = hashInput(fact.tool, `input ${number}`)
      yield fact
    }
  }
}

type Truth = Record<SetName, Set<number>> & { readonly ofAgent: Set<number>; readonly ofTool: Set<number> }

/** Returns rows of minutes, as folding makes them of deltas of `eventsAtOnce` events each. */
function foldDay(facts: Iterable<Fact>, eventsAtOnce: number): { minutes: Map<number, RowBytes>; truth: Truth } {
  const minutes = new Map<number, RowBytes>()
  const truth: Truth = {
    traces: new Set(),
    sessions: new Set(),
    inputs: new Set(),
    ofAgent: new Set(),
    ofTool: new Set(),
  }
  let delta: Delta = new Map()
  let events = 0
  const fold = (): void => {
    const changed: Delta = new Map()
    mergeStoredDelta(changed, encodeDelta(delta))
    for (const [ms, bucket] of changed) minutes.set(ms, encodeRow(readInto(bucket, minutes.get(ms))))
    delta = new Map()
    events = 0
  }
  for (const fact of facts) {
    addToDelta(delta, fact, 1)
    truth.traces.add(fact.traceHash)
    truth.sessions.add(fact.sessionHash)
    truth.inputs.add(fact.inputHash)
    if (fact.agentId === agents[0]) truth.ofAgent.add(fact.traceHash)
    if (fact.tool === tools[0]) truth.ofTool.add(fact.inputHash)
    events += 1
    if (events === eventsAtOnce) fold()
  }
  fold()
  return { minutes, truth }
}

function readInto(bucket: Bucket, row: RowBytes | undefined): Bucket {
  const read = makeBucket()
  if (row !== undefined) mergeRow(read, row)
  mergeBucket(read, bucket)
  return read
}

/** Returns the rows of the next tier. */
function sumUp(rows: ReadonlyMap<number, RowBytes>, lengthMs: number): Map<number, RowBytes> {
  const sums = new Map<number, Bucket>()
  for (const [ms, row] of rows) {
    const at = Math.floor(ms / lengthMs) * lengthMs
    const sum = sums.get(at) ?? makeBucket()
    sums.set(at, sum)
    mergeRow(sum, row)
  }
  return new Map([...sums].map(([ms, sum]) => [ms, encodeRow(sum)]))
}

/** Returns the number of members, and how many of them the cells have for which `holds` is true. */
function count(row: RowBytes, name: SetName, holds: (key: CellKey) => boolean): { all: number; some: number } {
  const { agents, cells, sections } = openSets(row.sets ?? Buffer.alloc(0))
  const section = sections[name]
  if (section === null) return { all: Number.NaN, some: Number.NaN }
  const hashes = readMembers(section)
  const owners = name === 'sessions' ? agents.length : cells.length
  const some = new Set<number>()
  eachSubset(section, hashes.length, owners, (owner, places) => {
    const key = cells[owner]
    if (name === 'sessions' || (key !== undefined && holds(key))) for (const place of places) some.add(place)
  })
  return { all: hashes.length, some: some.size }
}

for (const things of [2_049, inSoak(10_000, maxMembers)]) {
  test(`${things} of each kind are counted exactly through changes, minutes, hours and a day`, (t) => {
    const { minutes, truth } = foldDay(makeDay(0, things), inSoak(5_000, 50_000))
    const hours = sumUp(minutes, 3_600_000)
    const [day] = sumUp(hours, 86_400_000).values()
    if (day === undefined) throw new Error('no day')
    t.deepEqual([minutes.size, hours.size], [72, 24])
    t.is(truth.traces.size, things)
    for (const name of ['traces', 'sessions', 'inputs'] as const) {
      t.is(count(day, name, () => true).all, truth[name].size, name)
      t.is(count(day, name, () => true).some, truth[name].size, name)
    }
    t.is(count(day, 'traces', ({ agentId }) => agentId === agents[0]).some, truth.ofAgent.size)
    t.is(count(day, 'inputs', ({ tool }) => tool === tools[0]).some, truth.ofTool.size)
    const sum = makeBucket()
    for (const minute of minutes.values()) mergeRow(sum, minute)
    t.deepEqual(digests(encodeRow(sum)), digests(day), 'the order of adding up does not matter')

    // The control: the previous method, a sketch of more than 2,048.
    dropMembers(sum, 'traces', 'many')
    const { traces } = sum.total
    t.not(traces.registers, null)
    t.true(Math.abs(countDistinct(traces) / things - 1) <= 4 * 0.0081)
    t.not(countDistinct(traces), things)
  })
}

test('as many members as the limit are counted exactly; above it, the sketch remains, within its error', (t) => {
  const things = maxMembers + 1_000
  const most = [...foldDay(makeDay(0, maxMembers, 1, 1), 50_000).minutes.values()]
  t.is(most.length, 1)
  for (const name of setNames) t.is(count(most[0] as RowBytes, name, () => true).all, maxMembers, name)
  const minutes = [...most, ...foldDay(makeDay(maxMembers, things), 50_000).minutes.values()]
  const sum = makeBucket()
  for (const minute of minutes) mergeRow(sum, minute)
  const row = encodeRow(sum)
  for (const name of setNames) t.false(hasSets(row.sets ?? Buffer.alloc(0), [name]), name)
  t.true(Math.abs(countDistinct(sum.total.traces) / things - 1) <= 4 * 0.0081)
  // Each of its minutes has its own sets.
  t.true(minutes.every(({ sets }) => sets !== null && hasSets(sets, setNames)))
  const again = makeBucket()
  mergeRow(again, row)
  for (const name of setNames) t.is(again.sets[name], 'many')
})

test('the bits of all cells are bounded, too', (t) => {
  const bucket = makeBucket()
  const fact = makeFact()
  const cells = Array.from({ length: maxCells }, (_, number) =>
    cellOf(bucket.cells, { agentId: agents[0] ?? '', kind: 'tool', model: null, tool: `tool ${number}` }),
  )
  let members = 0
  for (; bucket.sets.traces !== 'many' && members < maxMembers; members++) {
    fact.traceHash = hashText48(`trace ${members}`)
    for (const cell of cells.slice(0, 2)) addToSets(bucket, cell, fact)
  }
  t.is(bucket.sets.traces, 'many')
  t.true(members * maxCells <= 2 ** 25 + 2 * maxCells)
  t.is(typeof bucket.sets.sessions, 'object')
})
