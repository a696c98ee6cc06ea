// Finds days on which an agent cost far more than on the days before.
import { picosPerUsd } from '../../sketches/counters.ts'
import type { Detector, FindingDraft, ScanContext } from '../detector.ts'
import { costDays, dayMs, trailingDays } from '../measure-window.ts'
import { describePrice, pricedAs, priceOver } from '../money.ts'
import { count, quote, usd } from '../wording.ts'

// Whole days, including today.
const lookBackMs = costDays * dayMs
const timesMedian = 3
const criticalTimes = 10
const criticalUsd = 100
const minExtraUsd = 1
const minDaysBefore = 5
const maxSubjects = 50

type Spike = { readonly dayMs: number; readonly costUsd: number; readonly medianUsd: number }
type Spiky = { readonly agentId: string; readonly spikes: readonly [Spike, ...Spike[]]; readonly extraUsd: number }

type Row = {
  readonly agent_id: string
  readonly first_seen: Date
  readonly last_seen: Date
  readonly trace_ids: readonly string[] | null
}

/** Subject: the agent. Counted from rollups. Price: what such days among the last seven cost above their medians. */
export const costSpike: Detector = {
  type: 'cost_spike',
  lookBackMs,
  detect: async (scan) => {
    const { agentDays } = await scan.measured()
    const spiky = listSpiky(agentDays, scan.nowMs)
    if (spiky.length === 0) return []
    const ids = spiky.map(({ agentId }) => agentId)
    const named = await scan.rows<{ id: string; name: string }>('findings/name-agents', [scan.workspaceId, ids])
    const names = new Map(named.map(({ id, name }) => [id, name]))
    const traces = await readTraces(scan, spiky)
    return spiky.map((one) => describe(scan, one, names.get(one.agentId) ?? 'unknown', traces.get(one.agentId)))
  },
}

/** Returns the start of the first examined day. The last one is today, up to now. */
const firstDayMs = (nowMs: number): number => (Math.floor(nowMs / dayMs) - costDays + 1) * dayMs

function listSpiky(agentDays: ReadonlyMap<string, ReadonlyMap<number, number>>, nowMs: number): Spiky[] {
  const today = Math.floor(nowMs / dayMs) * dayMs
  const spiky: Spiky[] = []
  for (const [agentId, days] of agentDays) {
    // Newest first. A day that began before the look-back is not examined.
    const looked = Array.from({ length: costDays }, (_, back) => today - back * dayMs)
    const [first, ...others] = looked.flatMap((day) => judgeDay(days, day) ?? [])
    if (first === undefined) continue
    const spikes: Spiky['spikes'] = [first, ...others]
    spiky.push({ agentId, spikes, extraUsd: spikes.reduce((sum, spike) => sum + spike.costUsd - spike.medianUsd, 0) })
  }
  spiky.sort((a, b) => b.extraUsd - a.extraUsd || (a.agentId < b.agentId ? -1 : 1))
  return spiky.slice(0, maxSubjects)
}

/** Compares a day with those of the fourteen days before on which the agent had a cost. Returns null if the day is no spike. */
function judgeDay(days: ReadonlyMap<number, number>, day: number): Spike | null {
  const before = Array.from({ length: trailingDays }, (_, at) => days.get(day - (at + 1) * dayMs) ?? 0)
  const known = before.filter((cost) => cost > 0).sort((a, b) => a - b)
  if (known.length < minDaysBefore) return null
  const middle = known.length >> 1
  const median = known.length % 2 === 1 ? known[middle]! : (known[middle - 1]! + known[middle]!) / 2
  const [costUsd, medianUsd] = [(days.get(day) ?? 0) / picosPerUsd, median / picosPerUsd]
  return costUsd > timesMedian * medianUsd && costUsd - medianUsd >= minExtraUsd
    ? { dayMs: day, costUsd, medianUsd }
    : null
}

/** Reads the most expensive traces of the newest such day of each agent. One bounded read for each of at most seven days. */
async function readTraces(scan: ScanContext, spiky: readonly Spiky[]): Promise<Map<string, Row>> {
  const traces = new Map<string, Row>()
  for (const [day, some] of Map.groupBy(spiky, ({ spikes: [newest] }) => newest.dayMs)) {
    const window = [new Date(day), new Date(Math.min(scan.nowMs, day + dayMs))]
    const ids = some.map(({ agentId }) => agentId)
    const rows = await scan.rows<Row>('findings/read-dear-traces', [scan.workspaceId, ...window, ids])
    for (const row of rows) traces.set(row.agent_id, row)
  }
  return traces
}

function describe(
  scan: ScanContext,
  { agentId, spikes, extraUsd }: Spiky,
  name: string,
  row: Row | undefined,
): FindingDraft {
  const [newest] = spikes
  const oldest = spikes.at(-1) ?? newest
  const price = priceOver(extraUsd, { fromMs: firstDayMs(scan.nowMs), toMs: scan.nowMs })
  const isBad = newest.costUsd > criticalTimes * newest.medianUsd || extraUsd >= criticalUsd
  const agent = quote(name)
  const day = new Date(newest.dayMs).toISOString().slice(0, 10)
  const basis = 'the cost of these days above their medians'
  const endMs = Math.min(scan.nowMs, newest.dayMs + dayMs - 1)
  return {
    subject: agentId,
    severity: isBad ? 'critical' : 'warning',
    title: `${agent} cost ${usd(newest.costUsd)} on ${day}; its median day costs ${usd(newest.medianUsd)}`,
    detail:
      `On ${count(spikes.length, 'day')} of the last seven, ${agent} cost more than ${timesMedian} times its median day of the two weeks before. ` +
      `The last such day was ${day} (UTC), with ${usd(newest.costUsd)} and a median of ${usd(newest.medianUsd)}. Check the most expensive ` +
      `traces of that day for more traffic, a more expensive model, longer prompts or loops. ${pricedAs(price, basis)}`,
    agentId,
    toolName: null,
    model: null,
    occurrences: spikes.length,
    estMonthlyCostUsd: price.monthlyUsd,
    evidence: {
      trace_ids: row?.trace_ids ?? [],
      days: spikes.map((spike) => ({
        day: new Date(spike.dayMs).toISOString().slice(0, 10),
        cost_usd: spike.costUsd,
        median_usd: spike.medianUsd,
      })),
      ...describePrice(price, basis, { extra_usd: extraUsd }),
    },
    decision: null,
    firstSeen: new Date(oldest.dayMs),
    lastSeen: row?.last_seen ?? new Date(endMs),
  }
}
