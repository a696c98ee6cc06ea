// Findings that no single trace shows: dropped spans, and reused IVs.
import test from 'ava'
import { gcmIvReuse } from '../../src/findings/detect/gcm-iv-reuse.ts'
import { quotaOrCapDrops } from '../../src/findings/detect/quota-or-cap-drops.ts'
import { addDecision } from '../_kit/workspace.ts'
import { dayMs, hourMs, type Looks, minuteMs, nowMs, openLooks, repeat, tracesOf } from './_look.ts'

let looks: Looks
test.before(async () => {
  looks = await openLooks()
})
test.after.always(async () => await looks.db.stop())

async function drop(workspace: string, daysAgo: number, quota: number, agentCap: number): Promise<void> {
  await dropOn(workspace, new Date(nowMs - daysAgo * dayMs).toISOString().slice(0, 10), quota, agentCap)
}

async function dropOn(workspace: string, day: string, quota: number, agentCap: number): Promise<void> {
  await looks.db.query(
    'insert into usage_days (workspace_id, day, stored, dropped_quota, dropped_agent_cap) values ($1, $2, 9, $3, $4)',
    [workspace, day, quota, agentCap],
  )
}

test('spans beyond the quota are critical, those of agents beyond the cap a warning', async (t) => {
  const workspace = await looks.makeWorkspace()
  await drop(workspace, 6, 0, 3)
  await drop(workspace, 2, 1, 4)
  await drop(workspace, 0, 2, 0)
  await looks.look(workspace, { detector: quotaOrCapDrops })
  const [cap, quota] = (await looks.list(workspace)).sort((a, b) => (a.subject < b.subject ? -1 : 1))
  t.like(quota, { subject: 'event_quota', severity: 'critical', occurrences: 3, last_seen: new Date(nowMs) })
  t.like(cap, {
    subject: 'agent_cap',
    severity: 'warning',
    occurrences: 7,
    last_seen: new Date('2026-03-08T23:59:59.999Z'),
  })
  t.deepEqual(quota?.evidence['days'], [
    { day: '2026-03-08', dropped: 1 },
    { day: '2026-03-10', dropped: 2 },
  ])
  await looks.look(workspace, { detector: quotaOrCapDrops, nowMs: nowMs + 7 * dayMs })
  t.deepEqual((await looks.list(workspace)).map(({ subject, status }) => `${subject} ${status}`).sort(), [
    'agent_cap resolved',
    'event_quota open',
  ])
})

test('a workspace with active rules is told that the quota leaves them unwatched, and others are not', async (t) => {
  for (const state of ['active', 'shadow', null] as const) {
    const workspace = await looks.makeWorkspace()
    if (state !== null) await addDecision(looks.db.query, workspace, { state })
    await drop(workspace, 0, 2, 3)
    await looks.look(workspace, { detector: quotaOrCapDrops })
    const told = (await looks.list(workspace)).filter(({ detail }) =>
      /the held-out calls of active rules are not measured.* Move rules whose results may change to shadow/.test(
        detail,
      ),
    )
    t.deepEqual(
      told.map(({ subject }) => subject),
      state === 'active' ? ['event_quota'] : [],
    )
  }
})

test('in a new month, spans are stored again, and rules are watched', async (t) => {
  const workspace = await looks.makeWorkspace()
  await addDecision(looks.db.query, workspace, { state: 'active' })
  const secondOfApril = { detector: quotaOrCapDrops, nowMs: Date.parse('2026-04-02T12:00:00Z') }
  const readDetail = async (): Promise<string> => {
    await looks.look(workspace, secondOfApril)
    const quota = (await looks.list(workspace)).find(({ subject }) => subject === 'event_quota')
    return quota?.detail ?? ''
  }
  const advice = /Move rules .* to shadow until spans are stored again\. Then activate them yourself/
  await dropOn(workspace, '2026-03-30', 2, 0)
  await dropOn(workspace, '2026-04-01', 0, 2)
  t.regex(await readDetail(), /most recently on 2026-03-30/)
  t.notRegex(await readDetail(), advice)
  await dropOn(workspace, '2026-04-02', 2, 0)
  t.regex(await readDetail(), advice)
})

test('days without drops, and drops of more than a week ago, are no finding', async (t) => {
  const workspace = await looks.makeWorkspace()
  await drop(workspace, 1, 0, 0)
  await drop(workspace, 7, 90, 90)
  await looks.look(workspace, { detector: quotaOrCapDrops })
  t.deepEqual(await looks.list(workspace), [])
})

/** The kit gives every result the same IV and tag. */
const encrypted = { kind: 'tool', tool: 'search', keyId: 'k1', contentHash: 'a' } as const

test('two results under one key and IV that differ are critical', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, [
    ...repeat(2, nowMs - hourMs, minuteMs, encrypted),
    { ...encrypted, contentHash: 'b', atMs: nowMs - 2 * hourMs },
  ])
  await looks.look(workspace, { detector: gcmIvReuse })
  const [finding] = await looks.list(workspace)
  t.like(finding, {
    type: 'gcm_iv_reuse',
    severity: 'critical',
    subject: 'k1',
    occurrences: 3,
    first_seen: new Date(nowMs - 2 * hourMs),
    last_seen: new Date(nowMs - hourMs),
  })
  t.is(tracesOf(finding).length, 3)
  await looks.look(workspace, { detector: gcmIvReuse, nowMs: nowMs + 7 * dayMs })
  t.is((await looks.list(workspace))[0]?.status, 'resolved')
})

test('the same result twice, other keys, and other IVs are no reuse', async (t) => {
  const workspace = await looks.makeWorkspace()
  const longAgo = nowMs - 8 * dayMs
  await looks.store(workspace, [
    ...repeat(3, nowMs - hourMs, minuteMs, encrypted),
    { ...encrypted, keyId: 'k2', contentHash: 'b', atMs: nowMs - hourMs },
    { ...encrypted, contentHash: 'c', atMs: longAgo },
    ...repeat(9, nowMs - hourMs, minuteMs, { ...encrypted, keyId: 'k3' }).map((each, at) => ({
      ...each,
      contentHash: `${at}`,
    })),
  ])
  await looks.db.query(
    `update tool_results r set iv = decode(lpad(to_hex(extract(epoch from r.start_time)::bigint), 24, '0'), 'hex')
     from events e where e.workspace_id = $1 and e.key_id = 'k3' and (r.workspace_id, r.start_time, r.trace_id, r.span_id)
       = (e.workspace_id, e.start_time, e.trace_id, e.span_id)`,
    [workspace],
  )
  await looks.look(workspace, { detector: gcmIvReuse })
  t.deepEqual(await looks.list(workspace), [])
})
