// A front is stopped in the middle of an ingest transaction that holds rows which others need, and its link to the database is half open:
// the end of the transaction was sent and does not arrive.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Link } from '../_kit/link.ts'
import { measure, type Standstill, watchStandstill } from '../_kit/standstill.ts'
import { until } from '../_kit/until.ts'
import type { Part } from '../cluster/_part.ts'
import { type MortalDatabase, openMortalDatabase, type Query } from './_database.ts'
import { countLost, judge } from './_judge.ts'
import type { Mutation } from './_mutant.ts'
import type { Scene, SceneOptions } from './_scene.ts'
import { makeNew, openTenants, sendUntilTaken, type Tenant } from './_tenants.ts'
import { type Result, tellGaps } from './_under.ts'

export type FrozenFront = {
  /** `link` is the connection of the frozen front to the database. */
  readonly frozen: Part
  readonly other: Part
  readonly link: Link
  readonly query: Query
}

const workspaces = 4
const promisedMs = 2_000
// The wait ends this long after the allowed time.
const hopelessMs = 1_000
const pauseMs = 50

const listHolding = `select from pg_stat_activity
  where datname = current_database() and application_name = 'tracewright-ingest' and state like 'idle in transaction%'`

export const withoutBound: Mutation = {
  file: 'src/roles/databases.ts',
  from: 'idleInTransactionMs: 1_500',
  to: 'idleInTransactionMs: 30_000',
}

/**
 * All workspaces but one have rows that the frozen front has locked. Measures how long each of them waited for an acknowledgement of the
 * other front, without the time for which this machine stood still; more than 2 s beyond the time of a request without the fault is a
 * fault.
 */
export async function freezeFront({ frozen, other, link, query }: FrozenFront): Promise<Result> {
  const { tenants } = await openTenants(other.baseUrl, workspaces)
  let usualMs = 0
  for (const { baseUrl } of [frozen, other])
    for (const tenant of tenants) {
      const { tookMs } = await measure(async () => await sendUntilTaken(baseUrl, tenant, makeNew(tenant)))
      usualMs = Math.max(usualMs, tookMs)
    }
  // By then all rows are written, and every row lock is held. A transaction of another pool may commit first.
  link.holdFrom('commit\0', 'tracewright-ingest')
  const held = tenants.slice(1)
  const thawing = held.map(async (tenant) => await sendUntilTaken(frozen.baseUrl, tenant, makeNew(tenant)))
  await until(async () => link.isHolding() && (await query(listHolding)).length > 0)
  frozen.signal('SIGSTOP')
  const standstill = watchStandstill()
  const waits = tenants.map((tenant) =>
    waitForOther(other.baseUrl, tenant, standstill, promisedMs + usualMs + hopelessMs),
  )
  const gapsMs = await Promise.all(waits.map(({ gapMs }) => gapMs))
  frozen.signal('SIGCONT')
  link.release()
  await Promise.all([...thawing, ...waits.map(({ ended }) => ended)])
  standstill.stop()
  const faults = await judge(query, { tenants })
  const longestMs = Math.round(Math.max(...gapsMs))
  if (longestMs > promisedMs + usualMs)
    faults.push(
      `a workspace waited ${longestMs} ms for the frozen front; usually a request takes ${Math.round(usualMs)} ms`,
    )
  return {
    faults,
    figures: {
      ...tellGaps(gapsMs),
      usual_ms: Math.round(usualMs),
      ...(await countLost(query, { tenants })),
    },
  }
}

/**
 * Sends one batch after another for as long as others may wait, and until one is accepted. `gapMs` resolves earlier if no batch is accepted
 * for too long.
 */
function waitForOther(baseUrl: string, tenant: Tenant, standstill: Standstill, giveUpMs: number) {
  const startedAtMs = performance.now()
  const look = () => ({ atMs: performance.now(), stillMs: standstill.totalMs() })
  let last = look()
  let longestMs = 0
  const measureGap = (now = look()): number => now.atMs - last.atMs - (now.stillMs - last.stillMs)
  async function send(): Promise<void> {
    do {
      await sendUntilTaken(baseUrl, tenant, makeNew(tenant))
      const now = look()
      longestMs = Math.max(longestMs, measureGap(now))
      last = now
      await sleep(pauseMs)
    } while (performance.now() < startedAtMs + promisedMs)
  }
  let hasEnded = false
  const ended = send().finally(() => {
    hasEnded = true
  })
  const given = until(() => hasEnded || measureGap() > giveUpMs)
  const gapMs = given.then(() => (hasEnded ? longestMs : Math.max(longestMs, measureGap())))
  return { gapMs, ended }
}

/** A cluster for this scenario. */
export const linkedFront: SceneOptions<MortalDatabase> = { openDatabase: openMortalDatabase, linked: 'front-1' }
export const linkedFrontWithoutBound: SceneOptions<MortalDatabase> = { ...linkedFront, mutations: [withoutBound] }

export async function freezeFrontOf({ cluster, link, database: { query } }: Scene): Promise<Result> {
  const [frozen, other] = cluster.fronts
  if (frozen === undefined || other === undefined || link === null) throw new Error('it takes two fronts and a link')
  await cluster.settled()
  return await freezeFront({ frozen, other, link, query })
}
