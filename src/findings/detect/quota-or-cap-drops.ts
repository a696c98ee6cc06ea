// Finds spans that were dropped because the plan of the workspace allows no more.
import { type Detector, type FindingDraft, type ScanContext, windowOf } from '../detector.ts'
import { count, noEstimate } from '../wording.ts'

const dayMs = 86_400_000
const lookBackMs = 7 * dayMs

type Row = {
  readonly day: string
  readonly dropped_quota: number
  readonly dropped_agent_cap: number
  readonly has_rules: boolean
}
type Drops = { readonly day: string; readonly dropped: number }

// The agent cap drops only agents without a slot: rules are watched on the calls of all others.
const unwatched =
  'While they are dropped, the held-out calls of active rules are not measured: a rule whose results have become wrong stays active. ' +
  'Move rules whose results may change to shadow until spans are stored again. Then activate them yourself: ' +
  'the gate does not activate a rule that a user has moved to shadow.'

const caps = {
  event_quota: {
    severity: 'critical',
    title: (spans: string) => `${spans} dropped: the event quota is used up`,
    cause: 'were dropped because the workspace had used up its event quota of the month',
    advice:
      'Send fewer spans: sample traces, or leave out spans that you do not need. Otherwise ask the operator of the service for a larger plan.',
  },
  agent_cap: {
    severity: 'warning',
    title: (spans: string) => `${spans} dropped: the agent cap is reached`,
    cause: 'were dropped because their agents exceed the agent cap of the workspace',
    advice:
      'Check whether agents get a new name in each run: an agent should keep its name. Otherwise ask the operator of the service for a larger plan.',
  },
} as const

/** Subject: the cap. Taken from the daily counters, since dropped spans leave no event. */
export const quotaOrCapDrops: Detector = {
  type: 'quota_or_cap_drops',
  lookBackMs,
  detect: async (scan) => {
    // The first day begins within the look-back.
    const firstDay = new Date(windowOf(scan, lookBackMs).from.getTime() + dayMs - 1).toISOString().slice(0, 10)
    const rows = await scan.rows<Row>('findings/read-drops', [scan.workspaceId, firstDay])
    return [
      ...describe(
        scan,
        'event_quota',
        rows.map(({ day, dropped_quota: dropped }) => ({ day, dropped })),
        leavesUnwatched(scan, rows) ? unwatched : null,
      ),
      ...describe(
        scan,
        'agent_cap',
        rows.map(({ day, dropped_agent_cap: dropped }) => ({ day, dropped })),
        null,
      ),
    ]
  },
}

/** The quota is of a calendar month (UTC): in a new month, spans are stored again. */
function leavesUnwatched({ nowMs }: ScanContext, rows: readonly Row[]): boolean {
  const month = new Date(nowMs).toISOString().slice(0, 7)
  return rows.some((row) => row.has_rules && row.dropped_quota > 0 && row.day.startsWith(month))
}

function describe(
  scan: ScanContext,
  cap: keyof typeof caps,
  rows: readonly Drops[],
  consequence: string | null,
): FindingDraft[] {
  const days = rows.filter(({ dropped }) => dropped > 0)
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return []
  const dropped = days.reduce((sum, day) => sum + day.dropped, 0)
  const { severity, title, cause, advice } = caps[cap]
  const spans = count(dropped, 'span')
  return [
    {
      subject: cap,
      severity,
      title: title(spans),
      detail:
        `In the last 7 days, ${spans} ${cause} (on ${count(days.length, 'day')}, most recently on ${last.day} UTC). The figures of these days do ` +
        `not include these spans. ${consequence === null ? '' : `${consequence} `}${advice} ${noEstimate('the cost of dropped spans is unknown')}`,
      agentId: null,
      toolName: null,
      model: null,
      occurrences: dropped,
      estMonthlyCostUsd: null,
      evidence: {
        trace_ids: [],
        cap,
        days,
        price: { basis: 'the cost of dropped spans is unknown' },
      },
      decision: null,
      firstSeen: new Date(`${first.day}T00:00:00Z`),
      // The time within the day is not stored: use the end of the day, or now if that is earlier.
      lastSeen: new Date(Math.min(scan.nowMs, Date.parse(`${last.day}T00:00:00Z`) + dayMs - 1)),
    },
  ]
}
