// Finds tools whose slowest calls take far longer than they did before.
import { type Counters, counterAt } from '../../sketches/counters.ts'
import { quantileUs } from '../../sketches/durations.ts'
import type { Detector, FindingDraft } from '../detector.ts'
import type { Compared, WindowMeasures, WindowSums } from '../measure-window.ts'
import { count, duration, noEstimate, quote } from '../wording.ts'

// 24 hours, extended to the full hour.
const lookBackMs = 25 * 3_600_000
const minCalls = 50
const minCallsBefore = 100
const timesBaseline = 3
const criticalTimes = 10
const minExtraUs = 100_000
const maxSubjects = 50

type Slow = {
  readonly name: string
  readonly calls: number
  readonly p95Us: number
  readonly baselineUs: number
}

type Row = {
  readonly tool_name: string
  readonly first_seen: Date
  readonly last_seen: Date
  readonly trace_ids: readonly string[]
}

/** Subject: the tool. Measured from rollups. Time has no price. */
export const slowTool: Detector = {
  type: 'slow_tool',
  lookBackMs,
  detect: async (scan) => {
    const measured = await scan.measured()
    const slow = listSlow(measured)
    if (slow.length === 0) return []
    const rows = await scan.rows<Row>('findings/read-slow-calls', [
      scan.workspaceId,
      new Date(measured.latelyFromMs),
      new Date(scan.nowMs),
      slow.map(({ name }) => name),
      slow.map(({ baselineUs }) => timesBaseline * baselineUs),
    ])
    return slow.map((one) =>
      describe(
        measured.latelyFromMs,
        one,
        rows.find((row) => row.tool_name === one.name),
      ),
    )
  },
}

function listSlow({ tools }: WindowMeasures): Slow[] {
  const slow = [...tools].map(([name, compared]) => judge(name, compared)).filter((one) => one !== null)
  slow.sort((a, b) => b.p95Us - a.p95Us || (a.name < b.name ? -1 : 1))
  return slow.slice(0, maxSubjects)
}

function judge(name: string, { lately, before }: Compared): Slow | null {
  const calls = realCalls(lately.counters)
  if (calls < minCalls || realCalls(before.counters) < minCallsBefore) return null
  const [p95Us, baselineUs] = [realP95Us(lately), realP95Us(before)]
  if (p95Us <= timesBaseline * baselineUs || p95Us - baselineUs < minExtraUs) return null
  return { name, calls, p95Us, baselineUs }
}

/** Returns the number of calls that were not served. Several spans may report one call, which counts once. */
const realCalls = (counters: Counters): number =>
  (counters[counterAt.counted] ?? 0) - (counters[counterAt.servedCalls] ?? 0)

/**
 * Returns the p95 of the real calls. Served calls are the fastest: the slowest twentieth of the real calls is that share of all, however
 * many spans report each call.
 */
function realP95Us({ counters, durations }: WindowSums): number {
  const realShare = realCalls(counters) / (counters[counterAt.counted] ?? 1)
  return quantileUs(durations, 1 - 0.05 * realShare)
}

function describe(fromMs: number, { name, calls, p95Us, baselineUs }: Slow, row: Row | undefined): FindingDraft {
  const times = p95Us / Math.max(1, baselineUs)
  const tool = quote(name)
  return {
    subject: name,
    severity: times > criticalTimes ? 'critical' : 'warning',
    title: `${tool} is ${times.toFixed(times < 10 ? 1 : 0)} times as slow as before`,
    detail:
      `The slowest 5 % of ${count(calls, 'call')} of ${tool} in the last 24 hours took ${duration(p95Us / 1_000)} or longer (p95). ` +
      `In the six days before, the p95 was ${duration(baselineUs / 1_000)}. Check the newest of these traces for a change in the tool, ` +
      `its dependencies or the size of its inputs. Set a timeout so that agents do not wait. ` +
      noEstimate('time has no price'),
    agentId: null,
    toolName: name,
    model: null,
    occurrences: calls,
    estMonthlyCostUsd: null,
    evidence: {
      trace_ids: row?.trace_ids ?? [],
      calls,
      p95_ms: p95Us / 1_000,
      baseline_p95_ms: baselineUs / 1_000,
      price: { basis: 'time has no price' },
    },
    decision: null,
    firstSeen: row?.first_seen ?? new Date(fromMs),
    lastSeen: row?.last_seen ?? new Date(fromMs),
  }
}
