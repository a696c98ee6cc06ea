// The invariants of a cluster, held against what the clients remember and what the tables hold. Nothing where all is well.
import { count, listDifferences } from '../ingest/_http.ts'
import type { Query } from './_database.ts'
import type { Load, Tenant } from './_load.ts'

export type Allowed = {
  /** Statuses of ingest beside 200. */
  readonly ingest?: readonly string[]
  /** Of reads of rules beside 200 and 304. */
  readonly reads?: readonly string[]
}

/** After `load.finish()`: acknowledged is stored, once, and counted once; the cap holds; and only allowed answers were seen. */
export async function judge(query: Query, load: Load, allowed: Allowed = {}): Promise<string[]> {
  const faults: string[] = []
  for (const tenant of load.tenants) faults.push(...(await judgeTenant(query, load, tenant)))
  faults.push(...listStrange('ingest', load.answers, ['200', ...(allowed.ingest ?? [])]))
  faults.push(...listStrange('rules', load.reads, ['200', '304', ...(allowed.reads ?? [])]))
  return faults.length === 0 ? [] : [...faults, ...load.said]
}

function listStrange(what: string, answers: Readonly<Record<string, number>>, fine: readonly string[]): string[] {
  return Object.entries(answers)
    .filter(([status]) => !fine.includes(status))
    .map(([status, times]) => `${what} was answered ${status} ${times} times`)
}

async function judgeTenant(query: Query, load: Load, tenant: Tenant): Promise<string[]> {
  const { workspaceId, sent, acknowledged } = tenant
  const isCapped = load.capped.includes(tenant)
  const counts = await count(query, workspaceId)
  const preset = isCapped ? 50_000 - load.room : 0
  const rows = await query<{ id: string }>(`select encode(span_id, 'hex') as id from events where workspace_id = $1`, [
    workspaceId,
  ])
  const stored = new Set(rows.map(({ id }) => id))
  const lost = isCapped ? 0 : [...acknowledged].filter((id) => !stored.has(id)).length
  const strange = [...stored].filter((id) => !sent.has(id)).length
  const [drops] = await query<{ dropped: number }>(
    'select coalesce(sum(dropped_quota), 0)::int as dropped from usage_months where workspace_id = $1',
    [workspaceId],
  )
  const wantedDrops = isCapped ? Math.max(0, acknowledged.size - load.room) : 0
  const wanted = isCapped ? Math.min(load.room, acknowledged.size) : acknowledged.size
  return [
    ...listDifferences({ ...counts, month: counts.month - preset }),
    ...(rows.length === stored.size ? [] : [`${rows.length - stored.size} events are stored twice`]),
    ...(lost === 0 ? [] : [`${lost} acknowledged spans are lost`]),
    ...(strange === 0 ? [] : [`${strange} events that nobody sent`]),
    ...(stored.size === wanted ? [] : [`${stored.size} events are stored where ${wanted} should be`]),
    ...(drops?.dropped === wantedDrops
      ? []
      : [`${drops?.dropped} spans are counted as dropped where ${wantedDrops} were`]),
    ...(isCapped && stored.size > load.room ? [`the cap of ${load.room} was passed: ${stored.size}`] : []),
  ].map((fault) => `${isCapped ? 'capped' : 'open'} workspace: ${fault}`)
}
