// A settling that writes its changes in two slices, beside a commit for the agents of both.
import test, { type ExecutionContext } from 'ava'
import { wholeBatch } from '../../src/ingest/commit/batch-slice.ts'
import { commitGroup } from '../../src/ingest/commit/commit-group.ts'
import { openLikelyDuplicates } from '../../src/ingest/commit/likely-duplicates.ts'
import { storeGroup } from '../../src/ingest/commit/store-group.ts'
import { settleDueTraces } from '../../src/ingest/settle/settle-traces.ts'
import { readSqlstate } from '../../src/store/sqlstate.ts'
import { insertWorkspaceRow, makeBatch, makeEvent, makeLlmEvent } from '../_kit/batch.ts'
import { makeDatabase } from '../_kit/db.ts'
import { until } from '../_kit/until.ts'
import { intercept } from './_intercept.ts'

const listWaiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
const changesInSlice = 5_000

/**
 * The first slice moves spans to the agent with the higher id, the second one a span to the other. The commit begins between the slices.
 * Returns the SQLSTATEs of what failed.
 */
async function meet(t: ExecutionContext, locksFirst: boolean): Promise<(string | null)[]> {
  const base = await makeDatabase()
  t.teardown(base.stop)
  const workspace = await insertWorkspaceRow(base.query)
  await storeGroup(base.db, [makeBatch(workspace, [makeEvent({ agentOwn: 'a' }), makeEvent({ agentOwn: 'b' })])])
  const agents = await base.query<{ name: string }>('select name from agents order by id')
  const [low, high] = agents.map(({ name: agentOwn }) =>
    makeEvent({ kind: 'agent', agentOwn, traceId: 'ab'.repeat(16) }),
  )
  if (low === undefined || high === undefined) throw new Error('two agents')
  const startNs = BigInt(Date.parse('2026-11-01T00:00:00Z')) * 1_000_000n
  const calls = Array.from({ length: changesInSlice + 1 }, (_, at) =>
    makeLlmEvent(1, 1, {
      traceId: low.traceId,
      parentSpanId: at < changesInSlice ? high.spanId : low.spanId,
      agentFallback: 'my-service',
      startTimeUnixNano: startNs + BigInt(at) * 1_000_000n,
    }),
  )
  await storeGroup(base.db, [makeBatch(workspace, calls)])
  await storeGroup(base.db, [makeBatch(workspace, [high, low])])

  const failures: (string | null)[] = []
  const note = (error: unknown): unknown => failures.push(readSqlstate((error as Error).cause ?? error))
  let commit: Promise<unknown> | undefined
  let slices = 0
  const db = intercept(base.db, (statement) => {
    // The pause must not end the transaction.
    if (statement === 'ingest/limit-idle' || (statement === 'ingest/lock-agent-counts' && !locksFirst)) return 'skip'
    if (statement !== 'ingest/settle-events' || ++slices !== 2) return undefined
    const group = [makeBatch(workspace, [makeEvent({ agentOwn: 'a' }), makeEvent({ agentOwn: 'b' })])].map(wholeBatch)
    const options = { mayRepeat: false, likelyDuplicates: openLikelyDuplicates() }
    commit = commitGroup(base.db, group, options).catch(note)
    return until(async () => (await base.query(listWaiting)).length > 0).then(() => undefined)
  })
  await settleDueTraces(db, 0).catch(note)
  await commit
  t.is(slices, 2)
  return failures
}

test.serial('a settling in two slices and a commit for the agents of both are ended by no deadlock', async (t) => {
  t.deepEqual(await meet(t, true), [])
})

test.serial(
  'the control: without the lock before the first slice, one of the two is ended by a deadlock',
  async (t) => {
    t.deepEqual(await meet(t, false), ['40P01'])
  },
)
