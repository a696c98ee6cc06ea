import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { openWorkspaceFacts } from '../../src/ingest/workspace-facts.ts'
import type { Database } from '../../src/store/database.ts'
import { until } from '../_kit/until.ts'

test('a workspace that is evicted while it is being read is returned to the waiting callers, and read again by the next one', async (t) => {
  const answers: ((row: object) => void)[] = []
  const db = { row: () => new Promise((done) => answers.push(done)) } as unknown as Database
  const facts = openWorkspaceFacts(db)
  const row = (plan: string): object => ({
    plan,
    content_mode: 'full',
    redaction_secret: Buffer.alloc(32),
    prices_revision: null,
  })
  const first = facts.read('w')
  facts.forget('w')
  answers[0]?.(row('free'))
  t.is((await first)?.plan.name, 'free')
  const second = facts.read('w')
  answers[1]?.(row('team'))
  t.is((await second)?.plan.name, 'team')
  t.is((await facts.read('w'))?.plan.name, 'team')
  t.is(answers.length, 2)
})

test('a caller gets an outage while the database hangs, and the late answer serves the next caller', async (t) => {
  const answer = Promise.withResolvers<object>()
  const db = { row: () => answer.promise } as unknown as Database
  const facts = openWorkspaceFacts(db, performance, 20)
  await t.throwsAsync(facts.read('w'), { instanceOf: Outage, message: /in time/ })
  answer.resolve({ plan: 'free', content_mode: 'full', redaction_secret: Buffer.alloc(32), prices_revision: null })
  t.is((await facts.read('w'))?.plan.name, 'free')
})

/** A workspace with changeable prices, the queries that were sent, and a clock. */
function openOwn() {
  const own = { revision: 'r1' as string | null, asked: [] as string[], nowMs: 1_000 }
  const db = {
    row: async (statement: string) => {
      own.asked.push(statement)
      const { revision } = own
      if (statement === 'workspaces/read-prices') return { revision, prices: revision === null ? null : [] }
      return { plan: 'free', content_mode: 'full', redaction_secret: Buffer.alloc(32), prices_revision: revision }
    },
  } as unknown as Database
  const facts = openWorkspaceFacts(db, { now: () => own.nowMs })
  const revision = async (): Promise<string | null> => (await facts.read('w'))?.prices?.revision ?? null
  /** The time that the cache has read is reused for a millisecond of the real clock. */
  const askAfter = async (ms: number): Promise<void> => {
    const before = own.asked.length
    own.nowMs += ms
    await until(async () => (await facts.read('w')) !== null && own.asked.length > before)
  }
  return { own, facts, revision, askAfter }
}

test('prices are read with the workspace, again if their revision has changed, and never if it has none', async (t) => {
  const { own, facts, revision, askAfter } = openOwn()
  t.is(await revision(), 'r1')
  const held = (await facts.read('w'))?.prices
  t.deepEqual(own.asked, ['ingest/read-workspace', 'workspaces/read-prices'])
  await askAfter(5_001)
  t.is((await facts.read('w'))?.prices, held)
  t.deepEqual(own.asked.slice(2), ['ingest/read-workspace'])
  own.revision = 'r2'
  await askAfter(5_001)
  t.is(await revision(), 'r2')
  t.deepEqual(own.asked.slice(3), ['ingest/read-workspace', 'workspaces/read-prices'])
  own.revision = null
  await askAfter(5_001)
  t.is(await revision(), null)
  t.deepEqual(own.asked.slice(5), ['ingest/read-workspace'])
})

test('new prices are known at once where the workspace is forgotten, and after five seconds where it is not', async (t) => {
  const { own, facts, revision, askAfter } = openOwn()
  t.is(await revision(), 'r1')
  own.revision = 'r2'
  own.nowMs += 4_999
  t.is(await revision(), 'r1')
  facts.forget('w')
  t.is(await revision(), 'r2')
  own.revision = 'r3'
  await askAfter(5_001)
  t.is(await revision(), 'r3')
})
