// A database that is closed for maintenance, or missing while another one takes its name: a temporary outage.
import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { loadStatements } from '../../src/store/statements.ts'
import { openTestPool } from '../_kit/db.ts'
import { until } from '../_kit/until.ts'
import { makeEmptyDatabase } from './_empty-database.ts'

const nameOf = (url: string): string => new URL(url).pathname.slice(1)

for (const [what, close, open] of [
  [
    'is closed',
    (name: string) => `alter database ${name} allow_connections false`,
    (name: string) => `alter database ${name} allow_connections true`,
  ],
  [
    'has another name',
    (name: string) => `alter database ${name} rename to ${name}_away`,
    (name: string) => `alter database ${name}_away rename to ${name}`,
  ],
] as const)
  test(`a database that ${what} for a while is an outage, and no bug`, async (t) => {
    const [base, beside] = [await makeEmptyDatabase(), await makeEmptyDatabase()]
    const name = nameOf(base.url)
    const db = openTestPool(base.url, {
      statements: new Map([...loadStatements(), ['store/one', 'select 1 as one']]),
      name: 'closed',
      maxConnections: 2,
      statementTimeoutMs: 10_000,
      acquireTimeoutMs: 10_000,
    })
    t.teardown(async () => {
      await db.stop()
      await base.stop()
      await beside.stop()
    })
    t.deepEqual(await db.rows('store/one'), [{ one: 1 }])
    await beside.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    await until(async () => {
      try {
        await beside.query(close(name))
        return true
      } catch {
        // A terminated session may still exist for a moment.
        return false
      }
    })
    const acts = [
      async () => await db.rows('store/one'),
      async () => await db.tx(async (tx) => await tx.rows('store/one')),
      async () => await db.snapshot(async (tx) => await tx.rows('store/one')),
    ]
    for (const act of acts) t.true((await t.throwsAsync(act, { any: true })) instanceof Outage)
    await beside.query(open(name))
    t.deepEqual(await db.rows('store/one'), [{ one: 1 }])
  })
