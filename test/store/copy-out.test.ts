import test from 'ava'
import {
  type CopiedRow,
  readBoolean,
  readBytes,
  readDouble,
  readText,
  readTimeUs,
  required,
} from '../../src/store/copy-out.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(() => base.stop())

test('fields of every type are returned as stored', async (t) => {
  const seen: unknown[] = []
  const query = `select true, false, 1.5::float8, null::float8, 'grün', null::text, '\\x00ff'::bytea, null::bytea, ''::bytea,
    '1999-12-31T23:59:59.999999Z'::timestamptz, '2026-03-01T00:00:00.000001Z'::timestamptz`
  const take = (row: CopiedRow): void => {
    seen.push(readBoolean(row), readBoolean(row), readDouble(row), readDouble(row), readText(row), readText(row))
    seen.push(readBytes(row)?.toString('hex'), readBytes(row), readBytes(row)?.toString('hex'))
    seen.push(readTimeUs(row), readTimeUs(row))
    t.is(row.at, row.bytes.length)
  }
  await base.db.snapshot(async (tx) => await tx.copyOut([{ query, take }]))
  const times = [Date.UTC(2000, 0, 1) * 1_000 - 1, Date.UTC(2026, 2, 1) * 1_000 + 1]
  t.deepEqual(seen, [true, false, 1.5, null, 'grün', null, '00ff', null, '', ...times])
})

test('each query passes its rows to its own callback, in order, also if it has no rows or large ones', async (t) => {
  const seen: [string, number][] = []
  const take =
    (name: string) =>
    (row: CopiedRow): void => {
      seen.push([name, required(readDouble(row))])
      t.regex(required(readText(row)), /^(x*)$/)
    }
  const rows = (from: number, to: number): string =>
    `select n::float8, repeat('x', n * 40000) from generate_series(${from}, ${to}) n`
  await base.db.snapshot(async (tx) => {
    await tx.copyOut([])
    await tx.copyOut([
      { query: rows(1, 4), take: take('a') },
      { query: rows(1, 0), take: take('b') },
      { query: rows(5, 6), take: take('c') },
    ])
  })
  t.deepEqual(seen, [
    ['a', 1],
    ['a', 2],
    ['a', 3],
    ['a', 4],
    ['c', 5],
    ['c', 6],
  ])
})

test('an error that a callback throws is rethrown unchanged, and the connection remains usable', async (t) => {
  const thrown = new Error('enough')
  let taken = 0
  await base.db.snapshot(async (tx) => {
    const query = 'select n::float8 from generate_series(1, 100000) n'
    const take = (): void => {
      taken += 1
      if (taken === 3) throw thrown
    }
    t.is(await t.throwsAsync(tx.copyOut([{ query, take }])), thrown)
    t.is(taken, 3)
    const again: (number | null)[] = []
    await tx.copyOut([{ query: 'select 7::float8', take: (row) => again.push(readDouble(row)) }])
    t.deepEqual(again, [7])
  })
})

test('a query that fails is reported, and ends only its transaction', async (t) => {
  const nothing = (): void => undefined
  await t.throwsAsync(
    base.db.snapshot(
      async (tx) =>
        await tx.copyOut([
          { query: 'select 1', take: nothing },
          { query: 'select 1 / 0', take: nothing },
        ]),
    ),
    { message: /division by zero/ },
  )
  await t.notThrowsAsync(base.db.snapshot(async (tx) => await tx.copyOut([{ query: 'select 1', take: nothing }])))
})
