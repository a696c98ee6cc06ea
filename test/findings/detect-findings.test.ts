// One scan of a whole workspace: which findings it opens, updates and resolves, independent of concurrent scans and of the order of events.
import test, { type ExecutionContext } from 'ava'
import { repeatedToolCall } from '../../src/findings/detect/repeated-tool-call.ts'
import { unpricedModel } from '../../src/findings/detect/unpriced-model.ts'
import { detectFindings } from '../../src/findings/detect-findings.ts'
import type { Detector, FindingDraft } from '../../src/findings/detector.ts'
import { detectors } from '../../src/findings/detectors.ts'
import { writeFindings } from '../../src/findings/write-findings.ts'
import type { Observed } from '../../src/pricing/monthly.ts'
import type { Database } from '../../src/store/database.ts'
import { loadStatements } from '../../src/store/statements.ts'
import { openTestPool } from '../_kit/db.ts'
import { type EventSeed, hexId } from '../_kit/events.ts'
import { makeRandom, type Random } from '../_kit/random.ts'
import { inSoak, isSoak } from '../_kit/soak.ts'
import {
  type Draft,
  dayMs,
  draft,
  hourMs,
  type Looks,
  minuteMs,
  nowMs,
  openLooks,
  repeat,
  type Stored,
  storeSeeds,
  withoutLookLimit,
} from './_look.ts'

let looks: Looks
test.before(async () => {
  looks = await openLooks()
})
test.after.always(async () => await looks.db.stop())

const lookBackMs = dayMs
const silent: Detector = { type: 'test', lookBackMs, detect: () => Promise.resolve([]) }

const found = (lastSeenMs: number, more: Partial<FindingDraft> = {}): FindingDraft => ({
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
  firstSeen: new Date(lastSeenMs - hourMs),
  lastSeen: new Date(lastSeenMs),
  ...more,
})

const write = async (workspaceId: string, atMs: number, ...some: FindingDraft[]) =>
  await writeFindings(looks.db.db, { workspaceId, nowMs: atMs, results: [{ detector: silent, found: some }] })

const setStatus = async (workspaceId: string, status: string, atMs: number): Promise<unknown> =>
  await looks.db.query(
    `update findings set status = $2, resolved_at = case when $2 = 'resolved' then $3::timestamptz end
     where workspace_id = $1 and status <> 'resolved'`,
    [workspaceId, status, new Date(atMs)],
  )

test('a subject has one finding: it is updated when seen again, and keeps the time when it was first seen', async (t) => {
  const workspace = await looks.makeWorkspace()
  t.deepEqual(await write(workspace, nowMs, found(nowMs - hourMs)), { opened: 1, updated: 0, resolved: 0 })
  const [before] = await looks.list(workspace)
  const again = found(nowMs, { severity: 'critical', occurrences: 9, estMonthlyCostUsd: 5 })
  t.deepEqual(await write(workspace, nowMs, again), { opened: 0, updated: 1, resolved: 0 })
  const [after, ...others] = await looks.list(workspace)
  t.is(others.length, 0)
  t.is(after?.id, before?.id)
  t.like(after, {
    severity: 'critical',
    occurrences: 9,
    est_monthly_cost_usd: 5,
    first_seen: new Date(nowMs - 2 * hourMs),
    last_seen: new Date(nowMs),
  })
})

test('a detection with unchanged findings writes nothing', async (t) => {
  const workspace = await looks.makeWorkspace()
  await write(workspace, nowMs, found(nowMs))
  t.deepEqual(await write(workspace, nowMs + minuteMs, found(nowMs)), { opened: 0, updated: 0, resolved: 0 })
})

test('a name too long for an index can be a subject', async (t) => {
  const workspace = await looks.makeWorkspace()
  // An index can store this only in compressed form.
  const names = ['a', 'b'].map(
    (end) =>
      Array.from({ length: 1_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000))).join('') + end,
  )
  await looks.store(
    workspace,
    names.flatMap((model) => repeat(5, nowMs - minuteMs, minuteMs, { kind: 'llm', model, input: 10 })),
  )
  const options = { detector: unpricedModel }
  t.is((await looks.look(workspace, options)).opened, 2)
  t.is((await looks.look(workspace, options)).opened, 0)
  t.deepEqual((await looks.list(workspace)).map(({ model }) => model ?? '').sort(), names)
})

test('an acknowledged finding is updated, stays acknowledged, and resolves by itself', async (t) => {
  const workspace = await looks.makeWorkspace()
  await write(workspace, nowMs, found(nowMs))
  await setStatus(workspace, 'acknowledged', nowMs)
  t.is((await write(workspace, nowMs + hourMs, found(nowMs + hourMs, { occurrences: 2 }))).updated, 1)
  t.like((await looks.list(workspace))[0], { status: 'acknowledged', occurrences: 2 })
  t.is((await write(workspace, nowMs + hourMs + lookBackMs)).resolved, 0)
  t.is((await write(workspace, nowMs + hourMs + lookBackMs + 1)).resolved, 1)
  t.like((await looks.list(workspace))[0], {
    status: 'resolved',
    resolved_at: new Date(nowMs + hourMs + lookBackMs + 1),
  })
})

test('a finding that a user resolved stays resolved; new evidence opens another one', async (t) => {
  const workspace = await looks.makeWorkspace()
  await write(workspace, nowMs, found(nowMs))
  const [first] = await looks.list(workspace)
  await setStatus(workspace, 'resolved', nowMs + hourMs)
  // Seen before the manual change, but stored after it.
  t.is((await write(workspace, nowMs + hourMs, found(nowMs + 30 * minuteMs))).opened, 0)
  const again = found(nowMs + 2 * hourMs, { firstSeen: new Date(nowMs - 5 * hourMs) })
  t.is((await write(workspace, nowMs + 2 * hourMs, again)).opened, 1)
  const [old, renewed] = await looks.list(workspace)
  t.deepEqual(old, { ...(first as Stored), status: 'resolved', resolved_at: new Date(nowMs + hourMs) })
  t.like(renewed, { status: 'open', first_seen: new Date(nowMs + hourMs), last_seen: new Date(nowMs + 2 * hourMs) })
  t.is((await write(workspace, nowMs + 2 * hourMs, again)).updated, 0)
})

test('a finding that resolved by itself is opened again by the next evidence, however late it arrives', async (t) => {
  const workspace = await looks.makeWorkspace()
  await write(workspace, nowMs, found(nowMs))
  const laterMs = nowMs + lookBackMs + hourMs
  t.is((await write(workspace, laterMs)).resolved, 1)
  t.is((await write(workspace, laterMs, found(laterMs - 30 * minuteMs))).opened, 1)
})

test('two concurrent detections open one finding, and workspaces are isolated', async (t) => {
  const workspace = await looks.makeWorkspace()
  const other = await looks.makeWorkspace()
  await write(other, nowMs - 3 * dayMs, found(nowMs - 3 * dayMs))
  const some = Array.from({ length: 40 }, (_, at) => found(nowMs, { subject: `${at}` }))
  const written = await Promise.all([
    write(workspace, nowMs, ...some),
    write(workspace, nowMs, ...some.toReversed()),
    write(workspace, nowMs, ...some),
  ])
  t.is(
    written.reduce((sum, { opened }) => sum + opened, 0),
    40,
  )
  t.is((await looks.list(workspace)).length, 40)
  t.like((await looks.list(other))[0], { status: 'open' })
})

test('a detector that fails is reported, its findings stay, and the other detectors run', async (t) => {
  const workspace = await looks.makeWorkspace()
  const oldMs = nowMs - 3 * dayMs
  const make = (type: string, detect: Detector['detect']): Detector => ({ type, lookBackMs, detect })
  for (const type of ['broken', 'fine']) {
    const results = [{ detector: make(type, silent.detect), found: [found(oldMs)] }]
    await writeFindings(looks.db.db, { workspaceId: workspace, nowMs: oldMs, results })
  }
  const failures: string[] = []
  const result = await detectFindings(
    {
      db: looks.db.db,
      nowMs: () => nowMs,
      onFailure: (type, error) => failures.push(`${type}: ${(error as Error).name}`),
      detectors: [
        make('broken', () => Promise.reject(new TypeError('a bug'))),
        make('fine', silent.detect),
        make('new', () => Promise.resolve([found(nowMs)])),
      ],
    },
    workspace,
  )
  t.deepEqual(result, { opened: 1, updated: 0, resolved: 1, failed: ['broken'], skipped: [] })
  t.deepEqual(failures, ['broken: TypeError'])
  t.deepEqual((await looks.list(workspace)).map(({ type, status }) => `${type} ${status}`).sort(), [
    'broken open',
    'fine resolved',
    'new open',
  ])
})

test('a statement that waits longer than five seconds fails its detector alone', async (t) => {
  const workspace = await looks.makeWorkspace()
  const waits: Detector = {
    type: 'waits',
    lookBackMs,
    detect: async (look) => {
      await look.rows('findings/lock', ['another'])
      return []
    },
  }
  const detectSoon = async (db: Database) =>
    await detectFindings({ db, nowMs: () => nowMs, detectors: [waits, silent] }, workspace)
  const result = await looks.db.db.tx(async (tx) => {
    await tx.row('findings/lock', ['another'])
    return await detectSoon(looks.db.db)
  })
  t.deepEqual(result.failed, ['waits'])
  t.deepEqual((await detectSoon(withoutLookLimit(looks.db.db))).failed, [])
})

test('an abort signal ends the detection: findings so far are stored, the remaining detectors are named, and another one runs first next time', async (t) => {
  const workspace = await looks.makeWorkspace()
  const abort = new AbortController()
  const make = (type: string): Detector => ({
    type,
    lookBackMs,
    detect: () => {
      abort.abort()
      return Promise.resolve([found(nowMs)])
    },
  })
  const some = [make('a'), make('b'), make('c')]
  const detectAt = async (atMs: number, signal: AbortSignal) =>
    await detectFindings({ db: looks.db.db, nowMs: () => atMs, detectors: some }, workspace, signal)
  const first = await detectAt(nowMs, abort.signal)
  t.is(first.opened, 1)
  t.is(first.skipped.length, 2)
  const [type] = (await looks.list(workspace)).map((one) => one.type)
  t.false(first.skipped.includes(type ?? ''))
  t.is((await detectAt(nowMs, AbortSignal.abort())).skipped.length, 3)
  const fresh = new AbortController()
  abort.abort = () => fresh.abort()
  const second = await detectAt(nowMs + minuteMs, fresh.signal)
  t.is(second.skipped.length, 2)
  t.true(second.skipped.includes(type ?? ''))
})

/** Events for a finding of every type except dropped spans. */
function makeStory(): Draft[] {
  const random = makeRandom(11)
  const tool = { kind: 'tool', tool: 'search', agent: 'coder', inputHash: 'same', providedCostUsd: 0.013 } as const
  const llm = { kind: 'llm', model: 'claude-sonnet-4-5', agent: 'coder', cached: 0 } as const
  const lastMs = nowMs - hourMs
  return [
    ...repeat(60, lastMs, minuteMs, tool).map((each) => ({ ...each, durationUs: random.int(1_000_000) })),
    ...repeat(25, lastMs, minuteMs, { ...tool, tool: 'dead', session: 'dead' }).flatMap((each, at) => [
      { ...each, inputHash: `${at}`, callId: `call ${at}` },
      { kind: 'llm' as const, session: 'dead', atMs: each.atMs + 1_000, consumed: [`call ${at}`] },
    ]),
    ...repeat(8, lastMs, 1_000, { ...tool, trace: hexId(4_000_001, 32), status: 'error' }),
    ...repeat(8, lastMs + 300, 1_000, { ...llm, trace: hexId(4_000_001, 32), costUsd: 0.0123 }),
    ...repeat(120, nowMs - 3 * dayMs, minuteMs, { ...tool, tool: 'fetch', durationUs: 10_000 }),
    ...repeat(80, lastMs, minuteMs, { ...tool, tool: 'fetch', durationUs: 2_000_000 }).map((each, at) => ({
      ...each,
      status: at % 3 === 0 ? ('error' as const) : ('ok' as const),
      inputHash: `${at}`,
    })),
    ...repeat(30, lastMs, minuteMs, { ...llm, session: 'cache' }).map((each) => ({
      ...each,
      input: 9_000 + random.int(1_000),
      costUsd: 0.03,
    })),
    ...[1, 2, 3].flatMap((no) =>
      repeat(8, lastMs, minuteMs, { ...llm, session: `growing ${no}` }).map((each, at) => ({
        ...each,
        input: 1_000 + at * 8_000 + no,
        costUsd: 0.1 + at / 7,
      })),
    ),
    ...repeat(9, nowMs - dayMs, dayMs, { ...llm, costUsd: 0.11 }),
    ...repeat(9, lastMs, minuteMs, { ...llm, model: 'house-model', input: 10 }),
    ...repeat(60, lastMs, minuteMs, { kind: 'other', agent: 'coder', scope: 'http', scopeVersion: '1.0' }),
    ...repeat(3, lastMs, minuteMs, { ...tool, tool: 'vault', keyId: 'k1' }).map((each, at) => ({
      ...each,
      contentHash: `${at}`,
    })),
  ]
}

/** Replaces ids of agents, which differ from workspace to workspace; everything else must be equal. */
const anonymous = (rows: readonly Stored[]): object[] =>
  rows
    .map((row) => ({ ...row, id: '', workspace_id: '' }))
    .map((row) => JSON.parse(JSON.stringify(row).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'agent')))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

function shuffle<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((each) => [random.int(1e9), each] as const)
    .sort(([a], [b]) => a - b)
    .map(([, each]) => each)
}

test('the same events give the same findings, in whatever order and batches they arrive and however often detection runs', async (t) => {
  const seeds: EventSeed[] = makeStory().map(draft)
  const whole = await looks.makeWorkspace()
  await storeSeeds(looks.db, whole, seeds)
  const first = await looks.look(whole)
  const expected = anonymous(await looks.list(whole))
  t.deepEqual(
    [...new Set((await looks.list(whole)).map(({ type }) => type))].sort(),
    detectors
      .map(({ type }) => type)
      .filter((type) => type !== 'quota_or_cap_drops')
      .sort(),
  )
  t.deepEqual(await looks.look(whole), { opened: 0, updated: 0, resolved: 0, failed: [], skipped: [] })
  t.is(first.opened, expected.length)
  for (const seed of isSoak ? [1, 2, 3] : [1]) {
    const random = makeRandom(seed)
    const workspace = await looks.makeWorkspace()
    const mixed = shuffle(seeds, random)
    const cut = random.int(mixed.length)
    await storeSeeds(looks.db, workspace, mixed.slice(0, cut))
    // A scan of half of the events has no lasting effect.
    if (seed === 1) await looks.look(workspace)
    await storeSeeds(looks.db, workspace, mixed.slice(cut))
    await Promise.all([looks.look(workspace), looks.look(workspace)])
    t.deepEqual(anonymous(await looks.list(workspace)), expected, `order ${seed}`)
  }
})

const tooShort = /Cost: \$[\d.]+ in the last [\d.]+ \w+ \(.+\)\. A monthly estimate needs at least 24 hours of data\./

test('every finding is a sentence about what happened, what to do, and how it was priced', async (t) => {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, makeStory())
  await looks.look(workspace)
  for (const { type, title, detail, evidence, est_monthly_cost_usd: usd, first_seen, last_seen } of await looks.list(
    workspace,
  )) {
    t.true(title.length > 10 && title.length <= 200, title)
    const { basis, seen_usd: seenUsd = null } = evidence['price'] as { basis: string; seen_usd?: number | null }
    t.is(typeof basis, 'string', type)
    if (seenUsd === null) t.regex(detail, /No cost estimate: .+\.$/, type)
    else {
      const { days, from, to } = evidence['observed'] as Observed
      t.is(days, Math.round(((Date.parse(to) - Date.parse(from)) / dayMs) * 100) / 100, type)
      t.is(usd === null, days < 1, type)
      t.regex(
        detail,
        usd === null ? tooShort : /About \$[\d.]+ a month, from \$[\d.]+ in the last [\d.]+ \w+: .+\.$/,
        type,
      )
    }
    t.true((evidence['trace_ids'] as string[]).length > 0, type)
    t.true((evidence['trace_ids'] as string[]).length <= 10, type)
    t.true(first_seen <= last_seen && last_seen.getTime() <= nowMs, type)
    for (const text of [title, detail]) t.notRegex(text, /NaN|undefined|null|Infinity/, type)
  }
})

/** The usual run reads a tenth of the events, by the same statement with another limit. */
const most = inSoak(5_000, 50_000)

/** Opens a pool that reads at most `most` events for repeated calls. */
function openLimited(t: ExecutionContext): Database {
  const statements = new Map(loadStatements())
  const name = 'findings/find-repeated-calls'
  const limited = statements.get(name)?.replaceAll(/(limit|=) 50000\b/g, `$1 ${most}`) ?? ''
  t.is(limited.split(` ${most}`).length, 3, 'the limit, and whether it was reached')
  return openTestPool(looks.db.url, { statements: statements.set(name, limited) })
}

test('if there are more events than a detection reads, the newest are a sample, and evidence and price say so', async (t) => {
  const workspace = await looks.makeWorkspace()
  // At every size, the sample is of 7 hours and $50.
  await looks.db.query(
    `insert into events (workspace_id, start_time, trace_id, span_id, agent_id, agent_fallback, kind, counted, name, status,
       finish_reasons, attested, served, holdout, consumed_tool_call_ids, read_tool_call_ids, flags, tool_name, input_hash, provided_cost_usd)
     select $1::uuid, $2::timestamptz - n * interval '25000 seconds' / $3::int, decode(md5((n / 8)::text), 'hex'),
       decode(lpad(to_hex(n), 16, '0'), 'hex'), $1::uuid, 'other', 'tool', true, 'tool', 'ok', '{}', false, false, false, '{}', '{}', '{}',
       'tool', 'hash ' || n % 100, 50.0 / $3::int
     from generate_series(1, $3::int * 6 / 5) n`,
    [workspace, new Date(nowMs), most],
  )
  const db = openLimited(t)
  t.teardown(async () => await db.stop())
  await detectFindings({ db: withoutLookLimit(db), nowMs: () => nowMs, detectors: [repeatedToolCall] }, workspace)
  const [finding] = await looks.list(workspace)
  t.like(finding?.evidence['looked_at'], { is_sample: true, newest_events: most })
  // All but the first call with each of the 100 inputs.
  t.is(finding?.occurrences, most - 100)
  const cost = ((50 * (most - 100)) / most).toFixed(2)
  t.true(
    finding?.detail.includes(`the last 7 hours (a sample of ${most.toLocaleString('en')} events)`),
    finding?.detail,
  )
  t.is(finding?.est_monthly_cost_usd, null)
  t.true(finding?.detail.includes(`$${cost} in the last 7 hours (`), finding?.detail)
  t.regex(finding?.detail ?? '', /\. A monthly estimate needs at least 24 hours/)
  t.is(finding?.severity, 'warning')
})
