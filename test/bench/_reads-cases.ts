// The requests of the read benches, each with the bare statement that it cannot beat: the same rows by one index, over one connection.
import { agentIdAt, days, endUs, models, rareTool, startUs, toolNames } from './_data-shape.ts'

/** A statement without values runs as binary COPY: it reads rollups, whose bytes would take twice as long as text. */
export type Bare = { readonly text: string; readonly values: readonly unknown[] | null }

export type ReadCase = {
  readonly name: string
  /** Maximum of requests; fewer are sent if they are slow. */
  readonly requests: number
  /** Returns the path of one request below the workspace, and its bare statement; `nth` makes each request different. */
  readonly make: (nth: number) => Promise<{ path: string; bare: Bare | null }>
  /** Upper limit of p95 in milliseconds, where performance.md sets one. */
  readonly ceilingMs?: number
  /** Upper limit of p50 and p95 as a multiple of the bare statement's. */
  readonly ceilingRatio?: number
}

export type Place = { readonly startKey: string; readonly traceId: string; readonly spanId: string }

/** Look-ups in the set that the cases need. */
export type Finder = {
  readonly workspaceId: string
  /** Returns the event or trace that lies `offset` rows below the newest of the window. */
  placeOf(table: 'events' | 'traces', to: Date, offset: number): Promise<Place>
  /** Returns the cursor of a page that starts below a place. */
  sealEvents(window: { from: Date; to: Date }, place: Place): string
  sealTraces(window: { from: Date; to: Date }, place: Place): Promise<string>
}

const many = 200
const few = 30
const limit = 50
const deepOffset = 1_000 * limit
const from = new Date(startUs / 1_000)

/**
 * Returns a window of all days except some minutes of the last one. It differs from request to request, and its edges are not on a whole
 * hour or minute.
 */
const windowOf = (nth: number): { from: Date; to: Date } => ({
  from: new Date(from.getTime() + 17_123 + nth),
  to: new Date(endUs / 1_000 - 754_321 - ((nth * 7_919) % 600) * 1_013),
})

const toQuery = (window: { from: Date; to: Date }, more: Record<string, string> = {}): string =>
  new URLSearchParams({ from_time: window.from.toISOString(), to_time: window.to.toISOString(), ...more }).toString()

const bareEvents = (where: string): string =>
  `select * from events where workspace_id = $1 and start_time < $2 ${where}
   order by start_time desc, trace_id desc, span_id desc limit ${limit}`
const bareTraces = (where: string): string =>
  `select * from traces where workspace_id = $1 and start_time < $2 ${where} order by start_time desc, trace_id desc limit ${limit}`

/** The first page of a list; the bare statement filters by the same column. */
const listCase =
  (finder: Finder, list: 'events' | 'traces') =>
  (name: string, more: Record<string, string>, where: string | null, requests = many): ReadCase => ({
    name: `${list}: ${name}`,
    requests,
    make: async (nth) => {
      const window = windowOf(nth)
      const text = (list === 'events' ? bareEvents : bareTraces)(where ?? '')
      const bare = where === null ? null : { text, values: [finder.workspaceId, window.to] }
      return { path: `${list}?${toQuery(window, { limit: String(limit), ...more })}`, bare }
    },
  })

const deepCase = (finder: Finder, list: 'events' | 'traces'): ReadCase => {
  const known = new Map<number, { path: string; bare: Bare }>()
  return {
    name: `${list}: thousandth page`,
    requests: many,
    make: async (nth) => {
      // Finding a place reads 50,000 rows, so a few places serve all requests.
      const at = nth % 10
      const found = known.get(at)
      if (found !== undefined) return found
      const window = windowOf(at * 31)
      const place = await finder.placeOf(list, window.to, deepOffset)
      const cursor = list === 'events' ? finder.sealEvents(window, place) : await finder.sealTraces(window, place)
      const made = {
        path: `${list}?${new URLSearchParams({ limit: String(limit), cursor }).toString()}`,
        bare: {
          text: (list === 'events' ? bareEvents : bareTraces)(''),
          values: [finder.workspaceId, new Date(place.startKey)],
        },
      }
      known.set(at, made)
      return made
    },
  }
}

export function makeListCases(finder: Finder): ReadCase[] {
  const events = listCase(finder, 'events')
  const traces = listCase(finder, 'traces')
  const agent = agentIdAt(0, 0)
  const retired = agentIdAt(0, 7)
  const rareModel = models[5].name
  const tool = toolNames[0] ?? ''
  return [
    { ...events('first page', {}, ''), ceilingMs: 15 },
    deepCase(finder, 'events'),
    events('of an agent', { agent_id: agent }, `and agent_id = '${agent}'`),
    events('of a kind', { kind: 'tool' }, `and kind = 'tool'`),
    events('of a model, 2 % of calls', { model: rareModel }, `and model = '${rareModel}'`),
    events('of a tool', { tool_name: tool }, `and tool_name = '${tool}'`),
    events('errors, 2 %', { status: 'error' }, `and status = 'error'`),
    events('of an agent last seen 20 days ago', { agent_id: retired }, null, few),
    events(`of a tool called ${rareTool.times} times`, { tool_name: rareTool.name }, null, few),
    events('of a model that is nowhere', { model: 'nowhere' }, null, few),
    { ...traces('first page', {}, ''), ceilingMs: 15 },
    deepCase(finder, 'traces'),
    traces('of an agent', { agent_id: agent }, `and agent_id = '${agent}'`),
    traces('of a session', { session_id: 'session-777' }, `and session_id = 'session-777'`),
    traces('of a model, 2 %', { model: rareModel }, `and '${rareModel}' = any (models)`),
    traces('of a tool', { tool_name: tool }, `and '${tool}' = any (tools)`),
    traces('with errors', { status: 'error' }, 'and error_count > 0'),
    traces('of an agent last seen 20 days ago', { agent_id: retired }, null, few),
    traces(`of a tool called ${rareTool.times} times`, { tool_name: rareTool.name }, null, few),
    traces('ranked by cost, 30 days', { order_by: 'cost_usd' }, null, few / 3),
  ]
}

/** Reads of a single item, and sums. */
export function makeOtherCases(finder: Finder): ReadCase[] {
  const { workspaceId } = finder
  const placeOf = async (nth: number): Promise<Place> =>
    await finder.placeOf(
      'events',
      new Date(from.getTime() + (1 + ((nth * 7) % (days - 1))) * 86_400_000 - nth * 997),
      3,
    )
  const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')
  return [
    {
      name: 'agents',
      requests: many,
      make: async () => ({
        path: 'agents',
        bare: {
          text: 'select * from agents where workspace_id = $1 order by last_seen desc, id desc limit 50',
          values: [workspaceId],
        },
      }),
    },
    {
      name: 'one event with its payload',
      requests: many,
      make: async (nth) => {
        const { startKey, traceId, spanId } = await placeOf(nth)
        const text = `select e.*, p.body from events e left join payload_blocks p on p.workspace_id = e.workspace_id
          and p.id = e.payload_id and p.start_time >= $2 and p.start_time < $2::timestamptz + interval '1 hour'
          where e.workspace_id = $1 and e.start_time = $2 and e.trace_id = $3 and e.span_id = $4`
        return {
          path: `events/${traceId}.${spanId}`,
          bare: { text, values: [workspaceId, startKey, bytes(traceId), bytes(spanId)] },
        }
      },
    },
    {
      name: 'one trace with its spans',
      requests: many,
      make: async (nth) => {
        const { startKey, traceId } = await placeOf(nth)
        const text = `select * from events where workspace_id = $1 and trace_id = $2
          and start_time > $3::timestamptz - interval '1 hour' and start_time < $3::timestamptz + interval '1 hour'`
        return { path: `traces/${traceId}`, bare: { text, values: [workspaceId, bytes(traceId), startKey] } }
      },
    },
    {
      name: 'events of one trace',
      requests: many,
      make: async (nth) => {
        const { traceId } = await placeOf(nth)
        return { path: `events?${toQuery(windowOf(nth), { trace_id: traceId })}`, bare: null }
      },
    },
    { name: 'events: tail, first call', requests: many, make: async () => ({ path: 'events/tail', bare: null }) },
    {
      ...sumCase(workspaceId, 'summary, 30 days', 'stats/summary', {}, 'total'),
      ceilingMs: 40,
      ceilingRatio: 3,
    },
    {
      ...sumCase(workspaceId, 'timeseries, 720 hours', 'stats/timeseries', { interval: '1h' }, 'head'),
      ceilingRatio: 3,
    },
    ...(['model', 'agent', 'tool', 'kind'] as const).map((group) =>
      sumCase(
        workspaceId,
        `timeseries by ${group}, 720 hours`,
        'stats/timeseries',
        { interval: '1h', group_by: group },
        'cells by hours',
      ),
    ),
    sumCase(workspaceId, 'breakdown by tool, 30 days', 'stats/breakdown', { group_by: 'tool' }, 'cells'),
  ]
}

const tierMs = [60_000, 3_600_000, 86_400_000] as const

/**
 * Selects the rows of a window at the coarsest tiers: days with hours at the ends, or hours, then minutes; and no more of each row than is
 * needed.
 */
function bareRollups(workspaceId: string, window: { from: Date; to: Date }, read: Rollups): string {
  const isByHours = read === 'head' || read === 'cells by hours'
  const spans: { tier: 0 | 1 | 2; fromMs: number; toMs: number }[] = []
  const lay = (tier: 0 | 1 | 2, fromMs: number, toMs: number): void => {
    const [first, end] = [
      Math.ceil(fromMs / tierMs[tier]) * tierMs[tier],
      Math.floor(toMs / tierMs[tier]) * tierMs[tier],
    ]
    if (first < end) spans.push({ tier, fromMs: first, toMs: end })
    if (tier === 0) return
    const shorter = tier === 2 ? 1 : 0
    lay(shorter, fromMs, first)
    lay(shorter, end, toMs)
  }
  lay(isByHours ? 1 : 2, window.from.getTime(), window.to.getTime())
  return spans
    .map(({ tier, fromMs, toMs }) => {
      const isHead = read === 'head' && tier === 1
      const column = isHead
        ? 'substring(total from 1 for 1996) as total'
        : read.startsWith('cells')
          ? 'total, cells'
          : 'total'
      const rows = `select start_time, ${column} from rollups where workspace_id = '${workspaceId}' and tier = ${tier}
        and start_time >= to_timestamp(${fromMs / 1_000}) and start_time < to_timestamp(${toMs / 1_000}) offset 0`
      // The first bytes of a head state where it ends.
      const head = 'substring(total from 1 for 3 + (get_byte(total, 1) & 127) + 128 * get_byte(total, 2))'
      return isHead ? `(select start_time, ${head} from (${rows}) rows)` : `(${rows})`
    })
    .join(' union all ')
}

/** Totals, or the heads of hourly totals, or totals and cells. */
type Rollups = 'total' | 'head' | 'cells' | 'cells by hours'

const sumCase = (
  workspaceId: string,
  name: string,
  path: string,
  more: Record<string, string>,
  read: Rollups,
): ReadCase => ({
  name,
  requests: many,
  make: async (nth) => {
    const window = windowOf(nth)
    return {
      path: `${path}?${toQuery(window, more)}`,
      bare: { text: bareRollups(workspaceId, window, read), values: null },
    }
  },
})
