// Finds tools and models that fail far more often than they did before.
import { counterAt } from '../../sketches/counters.ts'
import type { Detector, FindingDraft, ScanContext } from '../detector.ts'
import type { Compared, WindowMeasures } from '../measure-window.ts'
import { describePrice, pricedAs, priceOver, severityOf } from '../money.ts'
import { count, number, percent, quote } from '../wording.ts'

// 24 hours, extended to the full hour.
const lookBackMs = 25 * 3_600_000
const minCalls = 50
const minErrors = 10
const minCallsBefore = 100
const timesBaseline = 3
// A baseline below this is not reliable: one error in a hundred.
const leastBaseline = 0.01
const criticalRate = 0.5
const maxSubjects = 50

type Hot = {
  readonly isTool: boolean
  readonly name: string
  readonly calls: number
  readonly errors: number
  readonly rate: number
  readonly baseline: number
}

type Row = {
  readonly is_tool: boolean
  readonly name: string
  readonly errors: number
  readonly priced: number
  readonly mean_cost_usd: number | null
  readonly error_types: readonly string[] | null
  readonly first_seen: Date
  readonly last_seen: Date
  readonly trace_ids: readonly string[]
}

/** Subject: the tool or the model. Counted from rollups. Price: the failed calls beyond the baseline. */
export const errorHotspot: Detector = {
  type: 'error_hotspot',
  lookBackMs,
  detect: async (scan) => {
    const measured = await scan.measured()
    const hot = listHot(measured)
    if (hot.length === 0) return []
    const namesOf = (isTool: boolean): string[] => hot.filter((one) => one.isTool === isTool).map(({ name }) => name)
    const window = [new Date(measured.latelyFromMs), new Date(scan.nowMs)]
    const values = [scan.workspaceId, ...window, namesOf(true), namesOf(false)]
    const rows = await scan.rows<Row>('findings/read-errors', values)
    const rowOf = (one: Hot): Row | undefined => rows.find((row) => row.is_tool === one.isTool && row.name === one.name)
    return hot.map((one) => describe(scan, measured.latelyFromMs, one, rowOf(one)))
  },
}

function listHot({ tools, models }: WindowMeasures): Hot[] {
  const all = [
    ...[...tools].map(([name, compared]) => judge(true, name, compared)),
    ...[...models].map(([name, compared]) => (name === null ? null : judge(false, name, compared))),
  ]
  const hot = all.filter((one) => one !== null)
  hot.sort((a, b) => b.errors - a.errors || (a.name < b.name ? -1 : 1))
  return hot.slice(0, maxSubjects)
}

function judge(isTool: boolean, name: string, { lately, before }: Compared): Hot | null {
  // Several spans may report one call; its failure counts once.
  const calls = lately.counters[counterAt.counted] ?? 0
  const errors = lately.counters[counterAt.errors] ?? 0
  const callsBefore = before.counters[counterAt.counted] ?? 0
  const errorsBefore = before.counters[counterAt.errors] ?? 0
  if (calls < minCalls || errors < minErrors || callsBefore < minCallsBefore) return null
  const baseline = errorsBefore / callsBefore
  const rate = errors / calls
  return rate > timesBaseline * Math.max(baseline, leastBaseline)
    ? { isTool, name, calls, errors, rate, baseline }
    : null
}

function describe(scan: ScanContext, fromMs: number, hot: Hot, row: Row | undefined): FindingDraft {
  const { isTool, name, calls, errors, rate, baseline } = hot
  const beyond = errors * (1 - baseline / rate)
  const meanUsd = row?.mean_cost_usd ?? null
  const price = priceOver(meanUsd === null ? null : meanUsd * beyond, { fromMs, toMs: scan.nowMs })
  const basis =
    meanUsd === null
      ? 'the spans of the failed calls report no cost'
      : 'the mean cost of failed calls, times the failed calls above the earlier error rate'
  const what = isTool ? 'tool' : 'model'
  const types = row?.error_types ?? []
  const kinds = types.length === 0 ? '' : ` Recent error types: ${types.map(quote).join(', ')}.`
  return {
    subject: `${what} ${name}`,
    severity: severityOf(price, rate >= criticalRate ? 'critical' : 'warning'),
    title: `${percent(rate)} of the calls of ${quote(name)} fail, up from ${percent(baseline)}`,
    detail:
      `${number(errors)} of ${count(calls, 'call')} of the ${what} ${quote(name)} failed in the last 24 hours. In the ` +
      `six days before, ${percent(baseline)} failed.${kinds} Check the newest of these traces for a change in the ${what}, its ` +
      `credentials, its limits or its input. ${pricedAs(price, basis)}`,
    agentId: null,
    toolName: isTool ? name : null,
    model: isTool ? null : name,
    occurrences: errors,
    estMonthlyCostUsd: price.monthlyUsd,
    evidence: {
      trace_ids: row?.trace_ids ?? [],
      calls,
      errors,
      rate,
      baseline_rate: baseline,
      error_types: types,
      ...describePrice(price, basis, { mean_failed_call_usd: meanUsd, calls_with_a_price: row?.priced ?? 0 }),
    },
    decision: null,
    firstSeen: row?.first_seen ?? new Date(fromMs),
    lastSeen: row?.last_seen ?? new Date(fromMs),
  }
}
