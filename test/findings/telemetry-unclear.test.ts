// Findings about instrumentations whose spans cannot be interpreted.
import test from 'ava'
import { telemetryUnclear } from '../../src/findings/detect/telemetry-unclear.ts'
import {
  type Draft,
  dayMs,
  hourMs,
  type Looks,
  minuteMs,
  nowMs,
  openLooks,
  repeat,
  type Stored,
  tracesOf,
} from './_look.ts'

let looks: Looks
test.before(async () => {
  looks = await openLooks()
})
test.after.always(async () => await looks.db.stop())

const lastMs = nowMs - hourMs
const detector = telemetryUnclear

type Seed = Omit<Draft, 'atMs'>

const clear: Seed = { kind: 'llm', model: 'gpt-4o', input: 10, costUsd: 0.1, scope: 'client', scopeVersion: '1.0' }

async function find(drafts: readonly Draft[]): Promise<{ workspace: string; found: Stored[] }> {
  const workspace = await looks.makeWorkspace()
  await looks.store(workspace, drafts)
  await looks.look(workspace, { detector })
  return { workspace, found: await looks.list(workspace) }
}

const some = (times: number, seed: Seed): Draft[] => repeat(times, lastMs, minuteMs, seed)

test('a scope that sends mostly spans of unknown kind is a finding, with a remedy', async (t) => {
  const { found } = await find([
    ...some(51, { kind: 'other', scope: 'http', scopeVersion: '2.0' }),
    ...some(49, { kind: 'chain', scope: 'http', scopeVersion: '2.1' }),
    ...some(60, clear),
  ])
  t.is(found.length, 1)
  t.like(found[0], {
    type: 'telemetry_unclear',
    subject: 'http',
    severity: 'info',
    occurrences: 51,
    title: 'Telemetry of “http” is unclear: 51 % of its spans have no known kind',
    est_monthly_cost_usd: null,
    last_seen: new Date(lastMs),
    first_seen: new Date(lastMs - 50 * minuteMs),
  })
  t.regex(found[0]?.detail ?? '', /sent 100 spans \(versions 2\.0, 2\.1\)\. 51 spans \(51 %\) have the kind “other”/)
  t.regex(found[0]?.detail ?? '', /leave its spans out of the export/)
  t.is(tracesOf(found[0]).length, 10)
  t.like(found[0]?.evidence, { scope_name: 'http', scope_versions: ['2.0', '2.1'], dialects: [], spans: 100 })
})

test('a call that two scopes report is one finding, of the scope that repeats it', async (t) => {
  const twice: Seed = { ...clear, flags: ['told_twice'] }
  const { found } = await find([
    ...some(10, twice),
    ...some(90, clear),
    ...some(10, { ...twice, scope: 'framework', counted: false }),
  ])
  t.deepEqual(
    found.map(({ subject }) => subject),
    ['framework'],
  )
  t.like(found[0], { severity: 'info', occurrences: 10 })
  t.regex(found[0]?.title ?? '', /10 calls reported twice$/)
  t.regex(found[0]?.detail ?? '', /10 model calls \(100 %\) are also reported by “client”\. Each counts once.+turn one/)
  t.deepEqual(found[0]?.evidence['also_reported_by'], ['client'])
})

test('a call that spans without a scope report as well is not said to be reported by a scope with a name', async (t) => {
  const twice: Seed = { ...clear, flags: ['told_twice'] }
  const { found } = await find([
    ...some(10, { ...twice, scope: null }),
    ...some(10, { ...twice, scope: 'framework', counted: false }),
  ])
  t.is(found.length, 1)
  t.regex(
    found[0]?.detail ?? '',
    /10 model calls \(100 %\) are also reported by an instrumentation without a scope\. Each/,
  )
  t.deepEqual(found[0]?.evidence['also_reported_by'], ['no scope'])
})

test('calls without a price, and costs that disagree, make the shown costs wrong: a warning, with counts of both', async (t) => {
  const { found } = await find([
    ...some(5, { ...clear, costUsd: null }),
    ...some(6, {
      ...clear,
      dialect: 'opentelemetry',
      flags: ['cost_disagrees', 'cost_provided'],
      providedCostUsd: 0.35,
    }),
    ...some(20, clear),
  ])
  t.is(found.length, 1)
  t.like(found[0], {
    subject: 'client',
    severity: 'warning',
    occurrences: 11,
    title:
      'Telemetry of “client” is unclear: 5 calls without a price, 6 calls with a cost that differs from the computed one',
  })
  t.regex(found[0]?.detail ?? '', /5 model calls \(16 %\) report tokens but could not be priced/)
  t.regex(found[0]?.detail ?? '', /6 model calls \(19 %\) report a cost .+ differences sum to \$1\.50/)
  t.is(found[0]?.evidence['cost_disagreement_usd'], 1.5)
  t.is(tracesOf(found[0]).length, 10)
})

test('spans without a scope are one more sender', async (t) => {
  const { found } = await find(some(50, { kind: 'other' }))
  t.like(found[0], {
    subject: '',
    title: 'Telemetry without a scope is unclear: 100 % of its spans have no known kind',
  })
})

test('a scope whose problems are rare or small is no finding', async (t) => {
  const { found } = await find([
    ...some(49, { kind: 'other', scope: 'few' }),
    ...some(50, { kind: 'other', scope: 'mixed' }),
    ...some(51, { kind: 'chain', scope: 'mixed' }),
    ...some(4, { ...clear, scope: 'four', costUsd: null }),
    ...some(9, { ...clear, scope: 'nine', counted: false, flags: ['told_twice'] }),
    ...some(5, { ...clear, costUsd: null }),
    ...some(5, { ...clear, flags: ['cost_disagrees'], providedCostUsd: 1 }),
    ...some(41, clear),
  ])
  t.deepEqual(found, [])
})

test('a repaired scope is resolved a day later, and evidence of the day before does not reopen it', async (t) => {
  const { workspace, found } = await find(some(60, { kind: 'other', scope: 'http' }))
  t.is(found[0]?.status, 'open')
  // The set-up is changed: from now on all spans are clear.
  const laterMs = nowMs + 23 * hourMs
  await looks.store(workspace, repeat(200, laterMs - minuteMs, minuteMs, { ...clear, scope: 'http' }))
  await looks.look(workspace, { detector, nowMs: laterMs })
  t.like((await looks.list(workspace))[0], { status: 'open', last_seen: new Date(lastMs) })
  await looks.look(workspace, { detector, nowMs: nowMs + dayMs + 2 * hourMs })
  t.deepEqual(
    (await looks.list(workspace)).map(({ status }) => status),
    ['resolved'],
  )
})

test('a finding that a user resolved stays resolved if only clear spans follow', async (t) => {
  const { workspace } = await find(some(60, { kind: 'other', scope: 'http' }))
  await looks.db.query(`update findings set status = 'resolved', resolved_at = $2 where workspace_id = $1`, [
    workspace,
    new Date(nowMs),
  ])
  await looks.store(workspace, repeat(20, nowMs + 30 * minuteMs, minuteMs, { ...clear, scope: 'http' }))
  await looks.look(workspace, { detector, nowMs: nowMs + hourMs })
  t.is((await looks.list(workspace)).length, 1)
  await looks.store(workspace, repeat(1, nowMs + 40 * minuteMs, minuteMs, { kind: 'other', scope: 'http' }))
  await looks.look(workspace, { detector, nowMs: nowMs + hourMs })
  t.deepEqual((await looks.list(workspace)).map(({ status }) => status).sort(), ['open', 'resolved'])
})
