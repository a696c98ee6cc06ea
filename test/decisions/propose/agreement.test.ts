// The proposal of a rule and the finding about the same tool state the same price.
import test from 'ava'
import { gateDecision } from '../../../src/decisions/gate-decision.ts'
import { moveDecision } from '../../../src/decisions/move.ts'
import { proposeFor } from '../../../src/decisions/propose/propose-for.ts'
import { deadToolResult } from '../../../src/findings/detect/dead-tool-result.ts'
import { repeatedToolCall } from '../../../src/findings/detect/repeated-tool-call.ts'
import { unattestedRepeat } from '../../../src/findings/detect/unattested-repeat.ts'
import { detectFindings } from '../../../src/findings/detect-findings.ts'
import type { Detector } from '../../../src/findings/detector.ts'
import { makeDatabase, type TestDatabase } from '../../_kit/db.ts'
import { type EventSeed, storeEvents } from '../../_kit/events.ts'
import { makeWorkspace } from '../../_kit/workspace.ts'
import { withoutLookLimit } from '../../findings/_look.ts'
import { untilSeen } from '../_gated.ts'
import { consume, makeRun } from './_runs.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(async () => await base.stop())

type Evidence = {
  readonly executions: number
  readonly observed: { days: number }
  readonly seen_savings: { usd: number | null }
  readonly expected_monthly_savings: { usd: number | null } | null
}

const tellOf = ({ observed, seen_savings: seen, expected_monthly_savings: monthly }: Evidence): Told => ({
  seenUsd: seen.usd,
  monthlyUsd: monthly?.usd ?? null,
  days: observed.days,
})

type Told = { readonly seenUsd: number | null; readonly monthlyUsd: number | null; readonly days: number }

/** `nowMs`: the time as of which the rule was weighed, in Unix ms. */
async function askRule(runs: readonly EventSeed[]): Promise<{ readonly rule: Told; readonly nowMs: number }> {
  const workspaceId = await makeWorkspace(base.query)
  await storeEvents(base.query, workspaceId, runs)
  const done = await proposeFor({ db: base.db }, workspaceId, { budgetMs: Number.POSITIVE_INFINITY })
  const rule = tellOf((done.result === 'done' ? done.proposed[0]?.config['evidence'] : undefined) as Evidence)
  const weighed = 'select proposed_until from optimizer_progress where workspace_id = $1'
  const [row] = await base.query<{ proposed_until: Date }>(weighed, [workspaceId])
  return { rule, nowMs: row?.proposed_until.getTime() ?? Number.NaN }
}

async function askFinding(runs: readonly EventSeed[], detector: Detector, nowMs: number): Promise<Told> {
  const workspaceId = await makeWorkspace(base.query)
  await storeEvents(base.query, workspaceId, runs)
  return await findIn(workspaceId, detector, nowMs)
}

async function findIn(workspaceId: string, detector: Detector, nowMs = Date.now()): Promise<Told> {
  await detectFindings({ db: withoutLookLimit(base.db), nowMs: () => nowMs, detectors: [detector] }, workspaceId)
  const [row] = await base.query<{
    est_monthly_cost_usd: number | null
    evidence: { observed: { days: number }; price: { seen_usd: number | null } }
  }>('select est_monthly_cost_usd, evidence from findings where workspace_id = $1', [workspaceId])
  if (row === undefined) throw new Error(`${detector.type} found nothing`)
  const { observed, price } = row.evidence
  return { seenUsd: price.seen_usd, monthlyUsd: row.est_monthly_cost_usd, days: observed.days }
}

/** Priced runs of one tool with one input, spread evenly over the last `minutes` minutes. */
const runsOver = (count: number, minutes: number): EventSeed[] =>
  Array.from({ length: count }, (_, at) =>
    makeRun(1 + (minutes * (count - 1 - at)) / (count - 1), { providedCostUsd: 0.25 }),
  )

const isClose = (a: number | null, b: number | null): boolean =>
  a === null || b === null ? a === b : Math.abs(a - b) <= 1e-4 * Math.abs(b)

for (const [minutes, isMonthly] of [
  [40, false],
  [23 * 60, false],
  [3 * 24 * 60, true],
] as const) {
  test(`of a tool first called ${minutes} minutes ago`, async (t) => {
    // Half of them are in the last half hour, so that there are repeats within minutes.
    const runs = [...runsOver(60, minutes), ...runsOver(60, 30)]
    const { rule, nowMs } = await askRule(runs)
    const repeated = await askFinding(runs, repeatedToolCall, nowMs)
    const unattested = await askFinding(
      runs.map((run) => ({ ...run, attested: false, keyId: null })),
      unattestedRepeat,
      nowMs,
    )
    t.true(isClose(rule.seenUsd, 119 * 0.95 * 0.25), String(rule.seenUsd))
    t.is(rule.monthlyUsd !== null, isMonthly)
    for (const finding of [repeated, unattested]) {
      t.is(finding.days, rule.days)
      t.true(isClose(finding.seenUsd, rule.seenUsd), `${finding.seenUsd} and ${rule.seenUsd}`)
      t.true(isClose(finding.monthlyUsd, rule.monthlyUsd), `${finding.monthlyUsd} and ${rule.monthlyUsd}`)
    }
  })
}

/** Proposes a rule from the first runs, as in the middle of an import, and measures it in shadow after the others. */
async function importRuns(first: readonly EventSeed[], others: readonly EventSeed[]) {
  const workspaceId = await makeWorkspace(base.query)
  await storeEvents(base.query, workspaceId, first)
  const done = await proposeFor({ db: base.db }, workspaceId, { budgetMs: Number.POSITIVE_INFINITY })
  const decisionId = (done.result === 'done' ? done.proposed[0]?.id : undefined) ?? ''
  await moveDecision(base, { workspaceId, decisionId, to: 'shadow', actor: 'gate' })
  await storeEvents(base.query, workspaceId, others)
  const measure = async (): Promise<Evidence & { readonly rank: { readonly usd: number } }> => {
    await untilSeen(base, workspaceId)
    await gateDecision({ db: base.db, nowMs: Date.now }, workspaceId, decisionId)
    const [row] = await base.query<{ worth: Evidence & { rank: { usd: number } } }>(
      `select score -> 'worth' as worth from decisions where id = $1`,
      [decisionId],
    )
    if (row === undefined) throw new Error('the decision is gone')
    return row.worth
  }
  return { workspaceId, measure }
}

/** The costs of calls differ: a mean over other calls would be another price. */
const priced = (runs: readonly EventSeed[]): EventSeed[] =>
  runs.map((run, nth) => ({ ...run, providedCostUsd: 0.1 + 0.01 * nth }))

test('a rule in shadow is expected to save what the finding about all of its calls states', async (t) => {
  const runs = priced([...runsOver(60, 3 * 24 * 60), ...runsOver(60, 30)])
  const { workspaceId, measure } = await importRuns(runs.slice(0, 8), runs.slice(8))
  const worth = await measure()
  t.is(worth.executions, 120)
  const rule = tellOf(worth)
  const finding = await findIn(workspaceId, repeatedToolCall)
  t.is(finding.days, rule.days)
  t.true(isClose(finding.seenUsd, rule.seenUsd), `${finding.seenUsd} and ${rule.seenUsd}`)
  t.true(isClose(finding.monthlyUsd, rule.monthlyUsd), `${finding.monthlyUsd} and ${rule.monthlyUsd}`)
  t.deepEqual(await measure(), worth, 'without further calls it stays as it was')
})

test('a rule about unread results in shadow is expected to save what the finding about them states', async (t) => {
  const calls = Array.from({ length: 60 }, (_, nth) =>
    makeRun(2 * 24 * 60 - nth * 30, {
      attested: false,
      attestedUnread: true,
      session: `session ${nth}`,
      providedCostUsd: 0.25,
    }),
  )
  const runs = calls.flatMap((call) => [call, consume(call, false)])
  const { workspaceId, measure } = await importRuns(runs.slice(0, 60), runs.slice(60))
  const worth = await measure()
  t.is(worth.executions, 60)
  const finding = await findIn(workspaceId, deadToolResult)
  t.true(isClose(finding.seenUsd, tellOf(worth).seenUsd), `${finding.seenUsd} and ${tellOf(worth).seenUsd}`)
})
