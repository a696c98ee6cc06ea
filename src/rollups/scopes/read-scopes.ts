// Reads what each instrumentation scope sent in a window: rows of days, hours and minutes as far as each tier reaches, changes that are not
// folded yet, and events where the window cuts a minute.
import type { ScopeIdentity } from '../../sketches/scope-sums.ts'
import type { Database, Runner } from '../../store/database.ts'
import { sortEdges } from '../edges.ts'
import { listWhole, type TimeSpan } from '../spans.ts'
import { ceilTo, floorTo, minuteMs, tiers } from '../tiers.ts'

export type ScopeUse = ScopeIdentity & {
  readonly spans: number
  /** Kinds without spans are left out. */
  readonly byKind: Readonly<Record<string, number>>
  readonly toldTwice: number
  /** How many of `toldTwice` are not counted. */
  readonly repeated: number
  readonly unpriced: number
  readonly costDisagreements: number
  readonly costDisagreementUsd: number
  readonly agentsUnnamed: number
  readonly lastStart: Date
}

type Row = {
  readonly scope_name: string
  readonly scope_version: string
  readonly dialect: string
  readonly spans: number
  readonly by_kind: Record<string, number>
  readonly told_twice: number
  readonly repeated: number
  readonly unpriced: number
  readonly cost_disagreements: number
  readonly cost_disagreement_usd: number
  readonly agents_unnamed: number
  readonly last_us: number
}

/** In Unix microseconds. */
type Window = { readonly fromUs: number; readonly toUs: number }

const nothing: TimeSpan = { fromMs: 0, toMs: 0 }

/**
 * For a window of whole minutes. Returns at most `most` scopes, those with the most spans first. One query; at most some thousand rows for
 * a year.
 */
export const readWholeScopes = async (
  on: Pick<Runner, 'rows'>,
  workspaceId: string,
  window: TimeSpan,
  most: number,
): Promise<ScopeUse[]> => await readParts(on, workspaceId, { whole: window, edges: [] }, most)

/**
 * For any window, in one snapshot. Exact to the microsecond, except that a minute is rounded if the window cuts it and contains more than
 * `maxEdgeEvents` of its events. Throws Outage.
 */
export async function readScopes(
  db: Database,
  workspaceId: string,
  window: Window,
  most: number,
  maxEdgeEvents = 50_000,
): Promise<ScopeUse[]> {
  const { whole, edges } = cutOff({ fromMs: window.fromUs / 1_000, toMs: window.toUs / 1_000 })
  if (edges.length === 0) return await readWholeScopes(db, workspaceId, whole, most)
  return await db.snapshot(async (tx) => {
    const sorted = await sortEdges(tx, workspaceId, edges, new Set(edges), maxEdgeEvents)
    const rounded = [...sorted.whole.keys()].map((fromMs) => ({ fromMs, toMs: fromMs + minuteMs }))
    return await readParts(tx, workspaceId, { whole: join([whole, ...rounded]), edges: sorted.exact }, most)
  })
}

/** Returns the whole minutes of a window, and the rest: the pieces at its ends, or all of it. */
function cutOff({ fromMs, toMs }: TimeSpan): { readonly whole: TimeSpan; readonly edges: readonly TimeSpan[] } {
  const whole = { fromMs: ceilTo(fromMs, tiers.minute), toMs: floorTo(toMs, tiers.minute) }
  if (whole.fromMs > whole.toMs) return { whole: nothing, edges: [{ fromMs, toMs }] }
  const edges = [
    { fromMs, toMs: whole.fromMs },
    { fromMs: whole.toMs, toMs },
  ]
  return { whole, edges: edges.filter(isSome) }
}

/** Joins adjacent spans. */
function join(spans: readonly TimeSpan[]): TimeSpan {
  const some = spans.filter(isSome)
  if (some.length === 0) return nothing
  return { fromMs: Math.min(...some.map(({ fromMs }) => fromMs)), toMs: Math.max(...some.map(({ toMs }) => toMs)) }
}

type ScopeParts = {
  readonly whole: TimeSpan
  /** At most two. */
  readonly edges: readonly TimeSpan[]
}

async function readParts(
  on: Pick<Runner, 'rows'>,
  workspaceId: string,
  { whole, edges }: ScopeParts,
  most: number,
): Promise<ScopeUse[]> {
  const [days] = listWhole([whole], tiers.day)
  const [hours] = listWhole([whole], tiers.hour)
  const spans = [
    ...without(days, undefined).map((span) => ({ ...span, tier: tiers.day })),
    ...without(hours, days).map((span) => ({ ...span, tier: tiers.hour })),
    ...without(whole, hours).map((span) => ({ ...span, tier: tiers.minute })),
  ]
  const rows = await on.rows<Row>('rollups/read-scopes', [
    workspaceId,
    spans.map(({ tier }) => tier),
    spans.map(({ fromMs }) => toUs(fromMs)),
    spans.map(({ toMs }) => toUs(toMs)),
    ...boundsOf(whole),
    ...boundsOf(edges[0] ?? nothing),
    ...boundsOf(edges[1] ?? nothing),
    most,
  ])
  return rows.map(showUse)
}

/** Returns the parts of the outer span that the inner span does not cover. */
function without(span: TimeSpan | undefined, inner: TimeSpan | undefined): TimeSpan[] {
  if (span === undefined || inner === undefined) return span === undefined ? [] : [span]
  const around = [
    { fromMs: span.fromMs, toMs: inner.fromMs },
    { fromMs: inner.toMs, toMs: span.toMs },
  ]
  return around.filter(isSome)
}

const isSome = ({ fromMs, toMs }: TimeSpan): boolean => fromMs < toMs

/** Rounded, since a time in milliseconds may have a fraction. */
const toUs = (ms: number): number => Math.round(ms * 1_000)

const boundsOf = ({ fromMs, toMs }: TimeSpan): [number, number] => [toUs(fromMs), toUs(toMs)]

const showUse = (row: Row): ScopeUse => ({
  name: row.scope_name === '' ? null : row.scope_name,
  version: row.scope_version === '' ? null : row.scope_version,
  dialect: row.dialect === '' ? null : row.dialect,
  spans: row.spans,
  byKind: row.by_kind,
  toldTwice: ofAll(row, row.told_twice),
  repeated: ofAll(row, row.repeated),
  unpriced: ofAll(row, row.unpriced),
  costDisagreements: row.cost_disagreements,
  costDisagreementUsd: row.cost_disagreement_usd,
  agentsUnnamed: ofAll(row, row.agents_unnamed),
  lastStart: new Date(row.last_us / 1_000),
})

/** Limits the count to 0 and the number of spans: an earlier release revised the counts of spans that it had not counted. */
const ofAll = ({ spans }: Row, some: number): number => Math.min(Math.max(0, some), spans)
