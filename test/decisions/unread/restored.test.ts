// A database that was restored into a new cluster, whose transaction numbers begin again: its rows keep the numbers of the old one.
import test from 'ava'
import { type AdvancedUnread, advanceUnread, keepUnread } from '../../../src/decisions/unread/advance-unread.ts'
import type { Runner } from '../../../src/store/database.ts'
import { agentIdOf } from '../../_kit/events.ts'
import { until } from '../../_kit/until.ts'
import { useDatabase } from '../../_kit/use-database.ts'
import { dayMs, hourMs, store } from '../_gated.ts'
import { makeBlocks, makeSession, makeUnread } from './_unread.ts'

const world = useDatabase()
const { db, query } = world

const settings = { floor: 0.95, alpha: 0.05 }
const nowMs = Date.parse('2026-03-20T00:00:00Z')
const oldMs = nowMs - 10 * dayMs
const acceptedSinceUs = (nowMs - 8 * dayMs) * 1_000

const countsNothing = { trials: 100, complete: true, reads: 0 }

type Looked = { readonly trials: number; readonly complete: boolean; readonly reads: number }

test('after a restore, everything is counted once more, not in every pass', async (t) => {
  const decision = await makeUnread(world)
  const { workspaceId } = decision
  const subject = { workspaceId, toolName: 'search', toolVersion: null, agentId: agentIdOf(workspaceId, 'agent') }

  async function advance(tx: Pick<Runner, 'rows' | 'row' | 'run'>): Promise<Looked> {
    let reads = 0
    const counting: Pick<Runner, 'rows' | 'row'> = {
      row: async (statement, values) => await tx.row(statement, values),
      rows: async (statement, values) => {
        if (statement === 'decisions/list-unread-executions') reads += 1
        return await tx.rows(statement, values)
      },
    }
    const options = { settings, heldOutSinceUs: null, nowUs: nowMs * 1_000, acceptedSinceUs, mayProve: true }
    const advanced: AdvancedUnread = await advanceUnread(counting, subject, options)
    await keepUnread(tx, subject, advanced)
    return { trials: advanced.evidence.describe().trials, complete: advanced.complete, reads }
  }
  /** Every row with a number that this cluster has assigned is from before the next pass. */
  const isSeen = async (): Promise<boolean> => {
    const unseen = `select from events where workspace_id = $1 and inserted_xid >= pg_snapshot_xmin(pg_current_snapshot())
      and inserted_xid < pg_snapshot_xmax(pg_current_snapshot()) limit 1`
    return (await query(unseen, [workspaceId])).length === 0
  }
  const look = async (): Promise<Looked> => {
    await until(isSeen)
    return await db.tx(advance)
  }

  await store(world, decision, [...makeBlocks(oldMs, 60, 1), ...makeBlocks(nowMs - 3 * dayMs, 40, 1)])
  t.like(await look(), { trials: 100, complete: true })
  t.deepEqual(await look(), countsNothing)

  // As if the old cluster had assigned a thousand million numbers more.
  const ahead = (column: string): string => `${column} = (${column}::text::bigint + 1000000000)::text::xid8`
  await query(`update events set ${ahead('inserted_xid')} where workspace_id = $1`, [workspaceId])
  await query(`update unread_evidence set ${ahead('next_xid')} where workspace_id = $1`, [workspaceId])
  const recounted = await look()
  t.like(recounted, { trials: 100, complete: true })
  t.true(recounted.reads > 0, 'what is stored tells nothing of what the old cluster stored last')
  t.deepEqual(await look(), countsNothing)

  // What arrives late counts as it did before.
  for (const [nth, ageMs] of [6 * hourMs, 5 * dayMs].entries()) {
    await store(world, decision, makeSession(nowMs - ageMs, false))
    t.like(await look(), { trials: 101 + nth, complete: true })
  }
  // The new cluster reaches a number under which the old one stored a row, long ago.
  const reach = 'update events set inserted_xid = pg_current_xact_id() where workspace_id = $1 and start_time = $2'
  await query(reach, [workspaceId, new Date(oldMs)])
  t.deepEqual(await look(), { ...countsNothing, trials: 102 })
})
