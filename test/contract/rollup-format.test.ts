// The format of stored rollups, between the previous release and this one: each reads what the other writes (deploy/docs/upgrade.md).
import { readFileSync } from 'node:fs'
import test, { type ExecutionContext } from 'ava'
import { addFact, type Bucket, makeBucket } from '../../src/sketches/bucket.ts'
import { counterAt } from '../../src/sketches/counters.ts'
import { addToDelta, type Delta, encodeDelta, mergeStoredDelta } from '../../src/sketches/delta.ts'
import { encodeRow, mergeRow } from '../../src/sketches/row-codec.ts'
import { facts, startMs } from './_rollup-facts.ts'

/** Hexadecimal, as the previous release wrote it. */
type Written = {
  readonly row: Readonly<Record<'total' | 'cells' | 'sets', string>>
  readonly delta: Readonly<Record<'body' | 'sets', string>>
}

const written = JSON.parse(readFileSync(new URL('rollup-format.json', import.meta.url), 'utf8')) as Written
const { row, delta } = written
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')

const bucket = makeBucket()
const change: Delta = new Map()
for (const fact of facts) {
  addFact(bucket, fact, 1)
  addToDelta(change, fact, 1)
}

const sum = (of: (fact: (typeof facts)[number]) => number): number => facts.reduce((total, fact) => total + of(fact), 0)

/** Computes the expected values in plain code over the events. */
function expectAll(t: ExecutionContext, { total, cells, sets }: Bucket): void {
  const counted = facts.filter((fact) => fact.counted)
  t.is(total.counters[counterAt.events], facts.length)
  t.is(total.counters[counterAt.errors], facts.filter(({ error }) => error).length)
  t.is(total.counters[counterAt.counted], counted.length)
  t.is(
    total.counters[counterAt.inputTokens],
    sum(({ counted: counts, inputTokens }) => (counts ? inputTokens : 0)),
  )
  t.is(total.models.size, new Set(counted.filter(({ kind }) => kind === 'llm').map(({ model }) => model)).size)
  t.is(
    cells.list.length,
    new Set(facts.map(({ agentId, kind, model, tool }) => [agentId, kind, model, tool].join())).size,
  )
  for (const [name, field] of [
    ['traces', 'traceHash'],
    ['sessions', 'sessionHash'],
    ['inputs', 'inputHash'],
  ] as const) {
    const members = sets[name]
    const expected = new Set(facts.map((fact) => fact[field]).filter((hash) => hash !== -1))
    t.is(typeof members === 'string' ? members : members.hashes.length, expected.size, name)
  }
}

test('data of the previous release can be read', (t) => {
  const read = makeBucket()
  mergeRow(read, { total: bytes(row.total), cells: bytes(row.cells), sets: bytes(row.sets) })
  expectAll(t, read)
  const changes: Delta = new Map()
  mergeStoredDelta(changes, { body: bytes(delta.body), sets: bytes(delta.sets) })
  t.deepEqual([...changes.keys()], [startMs])
  expectAll(t, changes.get(startMs) ?? makeBucket())
})

test('this release writes the same format as the previous one, which can therefore read it', (t) => {
  const { total, cells, sets } = encodeRow(bucket)
  const { body, sets: setsOfDelta } = encodeDelta(change)
  const why = 'a new format takes two releases: deploy/docs/upgrade.md, the rule for rollup formats'
  t.deepEqual(
    {
      row: { total: total.toString('hex'), cells: cells.toString('hex'), sets: sets?.toString('hex') },
      delta: { body: body.toString('hex'), sets: setsOfDelta.toString('hex') },
    },
    written,
    why,
  )
})
