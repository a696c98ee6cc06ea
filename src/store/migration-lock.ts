// The lock that lets one process at a time migrate a database.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { askTimeoutMs } from './brief-client.ts'

/** The session that has the lock. What its user may not be told of is null. */
export type LockHolder = {
  readonly pid: number
  readonly application: string | null
  readonly address: string | null
  readonly state: string | null
  /** Since when its statement or its idleness lasts, as PostgreSQL writes it. */
  readonly since: string | null
}

export type LockWait = {
  readonly waitMs: number
  /** Somebody else has the lock and is waited for. Once for each holder. */
  readonly onRival?: (holder: LockHolder) => void
}

// Any fixed number: it only has to be ours.
const migrationLock = 7_277_411
const pollMs = 200

const readHolderSql = `
  select l.pid, nullif(a.application_name, '') as application, host(a.client_addr) as address, a.state, a.state_change::text as since
  from pg_locks l left join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = ${migrationLock} and l.objsubid = 1
    and l.database = (select oid from pg_database where datname = current_database())`

/** Asks again and again: one that waits inside a statement would hold back a rival's `create index concurrently`, and that one it. */
export async function takeMigrationLock(client: pg.Client, { waitMs, onRival }: LockWait): Promise<void> {
  const untilMs = performance.now() + waitMs
  let rival: LockHolder | null = null
  while (!(await askLock(client, 'pg_try_advisory_lock'))) {
    const holder = (await ask<LockHolder>(client, readHolderSql)).rows[0] ?? null
    if (holder !== null && holder.pid !== rival?.pid) onRival?.(holder)
    rival = holder ?? rival
    if (performance.now() > untilMs)
      throw new Error(
        `another process has been migrating this database for ${Math.round(waitMs / 1_000)} s${describe(rival)}`,
      )
    await sleep(pollMs)
  }
}

/** The end of the connection releases it as well, but not where a pooler keeps the session for others. */
export async function releaseMigrationLock(client: pg.Client): Promise<void> {
  // A connection that is gone has no lock.
  await askLock(client, 'pg_advisory_unlock').catch(() => undefined)
}

async function askLock(client: pg.Client, call: 'pg_try_advisory_lock' | 'pg_advisory_unlock'): Promise<boolean> {
  const { rows } = await ask<{ done: boolean }>(client, `select ${call}($1) as done`, [migrationLock])
  return rows[0]?.done === true
}

/** Neither question waits for anything but the server itself, which may have fallen silent. */
const ask = async <Row extends object>(client: pg.Client, text: string, values: readonly unknown[] = []) =>
  await client.query<Row>({ text, values: [...values], query_timeout: askTimeoutMs } as pg.QueryConfig)

function describe(holder: LockHolder | null): string {
  if (holder === null) return ''
  const { pid, application, address, state, since } = holder
  const from = `${application ?? 'an unnamed program'} at ${address ?? 'an unknown address'}`
  return `: session ${pid} of ${from} has its lock (${state ?? 'unknown state'} since ${since ?? 'an unknown time'}); end it with pg_terminate_backend(${pid}) if it is no migration`
}
