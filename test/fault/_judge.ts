// Checks the invariants of a cluster: compares what the clients remember with the tables. Returns no faults where they hold.
import { count, listDifferences } from '../ingest/_http.ts'
import type { Query } from './_database.ts'
import type { Load } from './_load.ts'
import type { Tenant } from './_tenants.ts'

export type Allowed = {
  /** Allowed statuses of ingest beside 200. */
  readonly ingest?: readonly string[]
  /** Allowed statuses of reads of rules beside 200 and 304. */
  readonly reads?: readonly string[]
}

/** What the clients of a load remember. */
export type Judged = Pick<Load, 'tenants'> & Partial<Pick<Load, 'capped' | 'room' | 'answers' | 'reads' | 'said'>>

/**
 * Called after `load.finish()`. Checks that acknowledged spans are stored once and counted once, that the cap holds, and that only allowed
 * answers were seen.
 */
export async function judge(query: Query, load: Judged, allowed: Allowed = {}): Promise<string[]> {
  const faults: string[] = []
  for (const tenant of load.tenants) faults.push(...(await judgeTenant(query, load, tenant)))
  faults.push(...listStrange('ingest', load.answers, ['200', ...(allowed.ingest ?? [])]))
  faults.push(...listStrange('rules', load.reads, ['200', '304', ...(allowed.reads ?? [])]))
  return faults.length === 0 ? [] : [...faults, ...(load.said ?? [])]
}

/** Counts acknowledged spans that are not stored, though no quota may drop them, and events that are stored twice. */
export async function countLost(
  query: Query,
  { tenants, capped = [] }: Judged,
): Promise<{ readonly lost: number; readonly doubled: number }> {
  let [lost, doubled] = [0, 0]
  for (const tenant of tenants) {
    const ids = await readSpanIds(query, tenant)
    const stored = new Set(ids)
    doubled += ids.length - stored.size
    if (!capped.includes(tenant)) lost += [...tenant.acknowledged].filter((id) => !stored.has(id)).length
  }
  return { lost, doubled }
}

async function readSpanIds(query: Query, { workspaceId }: Tenant): Promise<string[]> {
  const text = `select encode(span_id, 'hex') as id from events where workspace_id = $1`
  return (await query<{ id: string }>(text, [workspaceId])).map(({ id }) => id)
}

function listStrange(what: string, answers: Readonly<Record<string, number>> = {}, fine: readonly string[]): string[] {
  return Object.entries(answers)
    .filter(([status]) => !fine.includes(status))
    .map(([status, times]) => `${what} was answered ${status} ${times} times`)
}

async function judgeTenant(query: Query, { capped = [], room = 0 }: Judged, tenant: Tenant): Promise<string[]> {
  const { workspaceId, sent, acknowledged } = tenant
  const isCapped = capped.includes(tenant)
  const counts = await count(query, workspaceId)
  const preset = isCapped ? 50_000 - room : 0
  const ids = await readSpanIds(query, tenant)
  const stored = new Set(ids)
  const lost = isCapped ? 0 : [...acknowledged].filter((id) => !stored.has(id)).length
  const strange = [...stored].filter((id) => !sent.has(id)).length
  const [drops] = await query<{ dropped: number }>(
    'select coalesce(sum(dropped_quota), 0)::int as dropped from usage_months where workspace_id = $1',
    [workspaceId],
  )
  const wantedDrops = isCapped ? Math.max(0, acknowledged.size - room) : 0
  const wanted = isCapped ? Math.min(room, acknowledged.size) : acknowledged.size
  return [
    ...listDifferences({ ...counts, month: counts.month - preset }),
    ...(ids.length === stored.size ? [] : [`${ids.length - stored.size} events are stored twice`]),
    ...(lost === 0 ? [] : [`${lost} acknowledged spans are lost`]),
    ...(strange === 0 ? [] : [`${strange} events that nobody sent`]),
    ...(stored.size === wanted ? [] : [`${stored.size} events are stored where ${wanted} should be`]),
    ...(drops?.dropped === wantedDrops
      ? []
      : [`${drops?.dropped} spans are counted as dropped where ${wantedDrops} were`]),
    ...(isCapped && stored.size > room ? [`the cap of ${room} was passed: ${stored.size}`] : []),
  ].map((fault) => `${isCapped ? 'capped' : 'open'} workspace: ${fault}`)
}
