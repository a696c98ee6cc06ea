// The expected counts of instrumentation scopes: a fresh count of the events by plain code, and readers of the stored counts.
import { foldScopes } from '../../src/rollups/scopes/fold-scopes.ts'
import type { ScopeUse } from '../../src/rollups/scopes/read-scopes.ts'
import type { TestDatabase } from '../_kit/db.ts'
import { lengthsMs } from './_truth.ts'

type EventRow = {
  readonly start_us: number
  readonly scope_name: string | null
  readonly scope_version: string | null
  readonly dialect: string | null
  readonly kind: string
  readonly flags: readonly string[]
  readonly counted: boolean
  readonly cost_usd: number | null
  readonly provided_cost_usd: number | null
  readonly agent_unnamed: boolean | null
}

const sumsOf = (events: readonly EventRow[]) => {
  const count = (holds: (event: EventRow) => boolean): number => events.filter(holds).length
  const isTwice = ({ flags }: EventRow): boolean => flags.includes('told_twice')
  const disagreeing = events.filter(({ flags }) => flags.includes('cost_disagrees'))
  return {
    spans: events.length,
    told_twice: count(isTwice),
    repeated: count((event) => isTwice(event) && !event.counted),
    unpriced: count(
      ({ kind, counted, flags }) => ['llm', 'embedding'].includes(kind) && counted && flags.includes('unpriced'),
    ),
    cost_disagreements: disagreeing.length,
    cost_disagreement_usd: disagreeing.reduce(
      (sum, { cost_usd, provided_cost_usd }) => sum + Math.abs((provided_cost_usd ?? 0) - (cost_usd ?? 0)),
      0,
    ),
    agents_unnamed: count(({ agent_unnamed }) => agent_unnamed === true),
    last_us: Math.max(...events.map(({ start_us }) => start_us)),
  }
}

type Sums = ReturnType<typeof sumsOf>

/** By tier, start, scope and kind; money to a billionth, since the order of adding doubles varies. */
export type ScopeRows = Record<string, Sums>

const rounded = (sums: Sums): Sums => ({
  ...sums,
  cost_disagreement_usd: Number(sums.cost_disagreement_usd.toFixed(9)),
})

const readEvents = async (base: TestDatabase, workspaceId: string): Promise<EventRow[]> =>
  await base.query<EventRow>(
    `select (extract(epoch from start_time) * 1000000)::float8 as start_us, scope_name, scope_version, dialect, kind, flags, counted, cost_usd,
       provided_cost_usd, agent_unnamed
     from events where workspace_id = $1`,
    [workspaceId],
  )

/** A fresh count of all events, for every tier. */
export async function countFreshScopes(base: TestDatabase, workspaceId: string): Promise<ScopeRows> {
  const events = await readEvents(base, workspaceId)
  const rows = lengthsMs.flatMap((lengthMs, tier) => [
    ...Map.groupBy(events, (event) => {
      const startMs = Math.floor(event.start_us / 1_000 / lengthMs) * lengthMs
      const { scope_name, scope_version, dialect, kind } = event
      return nameOf(tier, startMs, [scope_name, scope_version, dialect, kind])
    }),
  ])
  return sortRows(rows.map(([name, own]) => [name, rounded(sumsOf(own))]))
}

const nameOf = (tier: number, startMs: number, parts: readonly (string | null)[]): string =>
  [tier, new Date(startMs).toISOString(), ...parts.map((part) => part ?? '')].join(' | ')

const sortRows = (rows: readonly (readonly [string, Sums])[]): ScopeRows =>
  Object.fromEntries(rows.toSorted(([a], [b]) => (a < b ? -1 : 1)))

type StoredRow = Sums & {
  readonly tier: number
  readonly start_time: Date
  readonly scope_name: string
  readonly scope_version: string
  readonly dialect: string
  readonly kind: string
}

/** Returns the rows of the table, without rows of scopes whose spans are gone. */
export async function readStoredScopes(base: TestDatabase, workspaceId: string): Promise<ScopeRows> {
  const rows = await base.query<StoredRow>(
    `select tier, start_time, scope_name, scope_version, dialect, kind, spans::float8, told_twice::float8, repeated::float8, unpriced::float8,
       cost_disagreements::float8, cost_disagreement_usd, agents_unnamed::float8, (extract(epoch from last_start) * 1000000)::float8 as last_us
     from scope_counts where workspace_id = $1 and spans <> 0`,
    [workspaceId],
  )
  return sortRows(
    rows.map(({ tier, start_time, scope_name, scope_version, dialect, kind, ...sums }) => [
      nameOf(tier, start_time.getTime(), [scope_name, scope_version, dialect, kind]),
      rounded(sums),
    ]),
  )
}

/** Folds until no delta of a scope is left. Returns how many there were. */
export async function foldAllScopes(base: TestDatabase, workspaceId: string): Promise<number> {
  let all = 0
  for (let deltas = -1; deltas !== 0; all += deltas) deltas = await foldScopes(base.db, [workspaceId])
  return all
}

/** Returns the scopes of the events between two times, in microseconds, in the form of a read. */
export async function countUses(
  base: TestDatabase,
  workspaceId: string,
  { fromUs, toUs }: { readonly fromUs: number; readonly toUs: number },
): Promise<ScopeUse[]> {
  const events = (await readEvents(base, workspaceId)).filter(({ start_us: us }) => us >= fromUs && us < toUs)
  const keyOf = (event: EventRow): string => JSON.stringify([event.scope_name, event.scope_version, event.dialect])
  const uses = [...Map.groupBy(events, keyOf)].map(([key, own]): ScopeUse => {
    const [name, version, dialect] = JSON.parse(key) as [string | null, string | null, string | null]
    const sums = sumsOf(own)
    return {
      name,
      version,
      dialect,
      spans: sums.spans,
      byKind: Object.fromEntries([...Map.groupBy(own, ({ kind }) => kind)].map(([kind, { length }]) => [kind, length])),
      toldTwice: sums.told_twice,
      repeated: sums.repeated,
      unpriced: sums.unpriced,
      costDisagreements: sums.cost_disagreements,
      costDisagreementUsd: sums.cost_disagreement_usd,
      agentsUnnamed: sums.agents_unnamed,
      lastStart: new Date(sums.last_us / 1_000),
    }
  })
  return sortUses(uses)
}

/** Sorts by name, version and dialect, so that two lists can be compared; money to a billionth. */
export const sortUses = (uses: readonly ScopeUse[]): ScopeUse[] =>
  uses
    .map((use) => ({ ...use, costDisagreementUsd: Number(use.costDisagreementUsd.toFixed(9)) }))
    .toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1))

const textOf = ({ name, version, dialect }: ScopeUse): string => JSON.stringify([name, version, dialect])
