// A workspace is deleted and purged while its findings are being written.
import test from 'ava'
import type { FindingDraft } from '../../src/findings/detector.ts'
import { writeFindings } from '../../src/findings/write-findings.ts'
import { openWorkspacePurge } from '../../src/workspaces/purge.ts'
import { useDatabase } from '../_kit/use-database.ts'
import { makeWorkspace } from '../_kit/workspace.ts'
import { intercept } from '../ingest/_intercept.ts'

const database = useDatabase()

const found: FindingDraft = {
  subject: 'one',
  severity: 'info',
  title: 'title',
  detail: 'detail',
  agentId: null,
  toolName: null,
  model: null,
  occurrences: 1,
  estMonthlyCostUsd: null,
  evidence: { trace_ids: [] },
  decision: null,
  firstSeen: new Date(),
  lastSeen: new Date(),
}

async function purge(): Promise<void> {
  const loop = openWorkspacePurge({
    db: database.db,
    onError: (error) => {
      throw error
    },
  })
  await loop.pass()
  await loop.stop()
}

/** Marks the workspace as deleted so long ago that the purge waits for no late writer: the writer has been stopped since. */
async function bury(workspaceId: string): Promise<void> {
  await database.query(`update workspaces set deleted_at = now() - interval '3 minutes' where id = $1`, [workspaceId])
}

/** Deletes and purges the workspace before this statement of the writer; null: never. Returns what is left. */
async function writeAround(deletedBefore: string | null) {
  const workspaceId = await makeWorkspace(database.query)
  const db = intercept(database.db, async (statement) => {
    if (statement !== deletedBefore) return undefined
    await bury(workspaceId)
    await purge()
    return undefined
  })
  const results = [{ detector: { type: 'test', lookBackMs: 3_600_000 }, found: [found] }]
  const { opened } = await writeFindings(db, { workspaceId, nowMs: Date.now(), results })
  await purge()
  const [row] = await database.query<{ is_purged: boolean; findings: number }>(
    `select purged_at is not null as is_purged, (select count(*)::int from findings where workspace_id = $1) as findings
     from workspaces where id = $1`,
    [workspaceId],
  )
  return { opened, ...row }
}

test.serial('a workspace that is purged before findings are stored gets none', async (t) => {
  t.deepEqual(await writeAround('findings/hold-workspace'), { opened: 0, is_purged: true, findings: 0 })
  t.deepEqual(await writeAround(null), { opened: 1, is_purged: false, findings: 1 })
})

test.serial('the purge waits for findings that are being stored, and removes them', async (t) => {
  t.deepEqual(await writeAround('findings/lock'), { opened: 1, is_purged: true, findings: 0 })
})
