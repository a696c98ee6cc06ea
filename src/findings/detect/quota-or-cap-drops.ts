// Floor 3. Finds spans that were dropped, since the plan of the workspace allows no more.
import { type Detector, type Found, type Look, windowOf } from '../found.ts'
import { count, pricedAs } from '../wording.ts'

const dayMs = 86_400_000
const lookBackMs = 7 * dayMs

type Row = { readonly day: string; readonly dropped_quota: number; readonly dropped_agent_cap: number }
type Drops = { readonly day: string; readonly dropped: number }

const caps = {
  event_quota: {
    severity: 'critical',
    title: (spans: string) => `${spans} beyond the event quota dropped`,
    cause: 'were dropped, since the workspace had used up the events of the month',
    advice: 'Raise the plan, or send less: sample traces, or leave out spans that nobody looks at.',
  },
  agent_cap: {
    severity: 'warning',
    title: (spans: string) => `${spans} of agents beyond the cap dropped`,
    cause: 'were dropped, since they came from new agents and the workspace has as many as its plan allows',
    advice: 'Raise the plan, or look whether agents get a new name for each run: a name should stay the same.',
  },
} as const

/** Subject: which cap. From the days' own count, since what was dropped left no event. */
export const quotaOrCapDrops: Detector = {
  type: 'quota_or_cap_drops',
  lookBackMs,
  detect: async (look) => {
    // The first day begins within the look-back.
    const firstDay = new Date(windowOf(look, lookBackMs).from.getTime() + dayMs - 1).toISOString().slice(0, 10)
    const rows = await look.rows<Row>('findings/read-drops', [look.workspaceId, firstDay])
    return [
      ...describe(
        look,
        'event_quota',
        rows.map(({ day, dropped_quota: dropped }) => ({ day, dropped })),
      ),
      ...describe(
        look,
        'agent_cap',
        rows.map(({ day, dropped_agent_cap: dropped }) => ({ day, dropped })),
      ),
    ]
  },
}

function describe(look: Look, cap: keyof typeof caps, rows: readonly Drops[]): Found[] {
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
        `${spans} of the last 7 days ${cause} (on ${count(days.length, 'day')}, last on ${last.day} UTC). Every number of these days is too ` +
        `low by them. ${advice} ${pricedAs(null, 'what was dropped cannot be counted any more')}`,
      agentId: null,
      toolName: null,
      model: null,
      occurrences: dropped,
      estMonthlyCostUsd: null,
      evidence: {
        trace_ids: [],
        cap,
        days,
        price: { basis: 'what was dropped cannot be counted any more' },
      },
      decision: null,
      firstSeen: new Date(`${first.day}T00:00:00Z`),
      // When on the day is not kept: by the end of it, or by now.
      lastSeen: new Date(Math.min(look.nowMs, Date.parse(`${last.day}T00:00:00Z`) + dayMs - 1)),
    },
  ]
}
