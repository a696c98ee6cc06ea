import test from 'ava'
import { readQuota } from '../../src/actors/read-quota.ts'
import { Outage } from '../../src/base/fault.ts'
import { makeDatabase } from '../_kit/db.ts'
import { inOneMonth } from '../_kit/one-month.ts'
import { makeWorkspace } from '../_kit/workspace.ts'

const quotaOf = (plan: string): number | null => (plan === 'free' ? 500 : null)

test(
  'an actor starts from the plan and the spans accepted this month',
  inOneMonth(async (t) => {
    const { db, query, stop } = await makeDatabase()
    const workspaceId = await makeWorkspace(query, { plan: 'free' })
    const fresh = await readQuota({ db, quotaOf }, workspaceId)
    t.like(fresh, { quota: 500, accepted: 0 })
    await query(
      `insert into usage_months (workspace_id, month, accepted) values
       ($1, date_trunc('month', now() at time zone 'UTC')::date, 42),
       ($1, (date_trunc('month', now() at time zone 'UTC') - interval '1 month')::date, 1000)`,
      [workspaceId],
    )
    const fromMs = Date.now()
    const facts = await readQuota({ db, quotaOf }, workspaceId)
    const toMs = Date.now()
    t.like(facts, { quota: 500, accepted: 42 })
    const [row] = await query<{ ends: Date }>(
      `select (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC' as ends`,
    )
    // It was read at some time between these two, by a clock with a higher resolution than ours.
    const readAtMs = (row?.ends.getTime() ?? 0) - (facts?.monthEndsInMs ?? 0)
    t.true(readAtMs >= fromMs && readAtMs <= toMs + 1, `${fromMs} ${readAtMs} ${toMs}`)

    await query('update workspaces set deleted_at = now() where id = $1', [workspaceId])
    t.is(await readQuota({ db, quotaOf }, workspaceId), null)
    await stop()
    await t.throwsAsync(readQuota({ db, quotaOf }, workspaceId), { instanceOf: Outage })
  }),
)
