// The proposal of a rule and the finding about the same tool state the same price.
import test from 'ava'
import { proposeFor } from '../../../src/decisions/propose/propose-for.ts'
import { repeatedToolCall } from '../../../src/findings/detect/repeated-tool-call.ts'
import { unattestedRepeat } from '../../../src/findings/detect/unattested-repeat.ts'
import { detectFindings } from '../../../src/findings/detect-findings.ts'
import type { Detector } from '../../../src/findings/detector.ts'
import { makeDatabase, type TestDatabase } from '../../_kit/db.ts'
import { type EventSeed, storeEvents } from '../../_kit/events.ts'
import { makeWorkspace } from '../../_kit/workspace.ts'
import { makeRun } from './_runs.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(async () => await base.stop())

type Told = { readonly seenUsd: number | null; readonly monthlyUsd: number | null; readonly days: number }

async function askRule(runs: readonly EventSeed[]): Promise<Told> {
  const workspaceId = await makeWorkspace(base.query)
  await storeEvents(base.query, workspaceId, runs)
  const done = await proposeFor({ db: base.db }, workspaceId, { budgetMs: Number.POSITIVE_INFINITY })
  const evidence = (done.result === 'done' ? done.proposed[0]?.config['evidence'] : undefined) as {
    observed: { days: number }
    seen_savings: { usd: number | null }
    expected_monthly_savings: { usd: number | null } | null
  }
  return {
    seenUsd: evidence.seen_savings.usd,
    monthlyUsd: evidence.expected_monthly_savings?.usd ?? null,
    days: evidence.observed.days,
  }
}

async function askFinding(runs: readonly EventSeed[], detector: Detector): Promise<Told> {
  const workspaceId = await makeWorkspace(base.query)
  await storeEvents(base.query, workspaceId, runs)
  await detectFindings({ db: base.db, nowMs: Date.now, detectors: [detector] }, workspaceId)
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
    const rule = await askRule(runs)
    const repeated = await askFinding(runs, repeatedToolCall)
    const unattested = await askFinding(
      runs.map((run) => ({ ...run, attested: false, keyId: null })),
      unattestedRepeat,
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
