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
  /** How long a workspace may wait beyond the time of a request without the fault. Default: 2 s. */
  readonly allowedMs?: number
}

const workspaces = 4
const mostTries = 5
const promisedMs = 2_000
// The wait ends this long after the allowed time.
const hopelessMs = 1_000
const pauseMs = 50

const listTransactions = `select state like 'idle in transaction%' as "isIdle" from pg_stat_activity
  where datname = current_database() and application_name = 'tracewright-ingest' and xact_start is not null`

export const withoutBound: Mutation = {
  file: 'src/roles/databases.ts',
  from: 'idleInTransactionMs: 1_500',
  to: 'idleInTransactionMs: 30_000',
}

/**
 * All workspaces but one have rows that the frozen front has locked. Measures how long each of them waited for an acknowledgement of the
 * other front, without the time for which this machine stood still; more than allowed is a fault.
 */
export async function freezeFront(options: FrozenFront): Promise<Result> {
  const { frozen, other, link, query, allowedMs = promisedMs } = options
  const { tenants } = await openTenants(other.baseUrl, workspaces)
  let usualMs = 0
  for (const { baseUrl } of [frozen, other])
    for (const tenant of tenants) {
      const { tookMs } = await measure(async () => await sendUntilTaken(baseUrl, tenant, makeNew(tenant)))
      usualMs = Math.max(usualMs, tookMs)
    }
  const thawing = await freezeInCommit(options, tenants.slice(1))
  const standstill = watchStandstill()
  const waits = tenants.map((tenant) =>
    waitForOther(other.baseUrl, tenant, standstill, allowedMs + usualMs + hopelessMs),
  )
  const gapsMs = await Promise.all(waits.map(({ gapMs }) => gapMs))
  frozen.signal('SIGCONT')
  link.release()
  await Promise.all([...thawing, ...waits.map(({ ended }) => ended)])
  standstill.stop()
  const faults = await judge(query, { tenants })
  const longestMs = Math.round(Math.max(...gapsMs))
  if (longestMs > allowedMs + usualMs)
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
 * Stops the front while PostgreSQL waits for the end of its transaction, which holds the rows of these workspaces. PostgreSQL ends such a
 * transaction after 1.5 s: if the machine stands still for that long before the front is stopped, there is another try, up to five in all.
 * Resolves to what was sent to the front. Throws if no try succeeded.
 */
async function freezeInCommit({ frozen, link, query }: FrozenFront, held: readonly Tenant[]): Promise<Promise<void>[]> {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    // By then all rows are written, and every row lock is held. A transaction of another pool may commit first.
    link.holdFrom('commit\0', 'tracewright-ingest')
    const thawing = held.map(async (tenant) => await sendUntilTaken(frozen.baseUrl, tenant, makeNew(tenant)))
    await until(link.isHolding)
    await until(async () => (await query<{ isIdle: boolean }>(listTransactions)).every(({ isIdle }) => isIdle))
    frozen.signal('SIGSTOP')
    if ((await query(listTransactions)).length > 0) return thawing
    frozen.signal('SIGCONT')
    link.release()
    await Promise.all(thawing)
  }
  throw new Error(`${mostTries} times PostgreSQL ended the transaction before the front was stopped`)
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
