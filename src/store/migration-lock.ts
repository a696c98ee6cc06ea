// The lock that lets one process at a time migrate a database.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { advisoryLocks } from './advisory-locks.ts'
import { answerInTime } from './brief-client.ts'

/** The session that holds the lock. Fields that our user may not see are null. */
export type LockHolder = {
  readonly pid: number
  readonly application: string | null
  readonly address: string | null
  readonly state: string | null
  /** When its statement or its idle state began, as PostgreSQL formats it. */
  readonly since: string | null
}

export type LockWait = {
  readonly waitMs: number
  /** Called once for each other holder that is waited for. */
  readonly onRival?: (holder: LockHolder) => void
}

const migrationLock = advisoryLocks.migration.key
const pollMs = 200

const readHolderSql = `
  select l.pid, nullif(a.application_name, '') as application, host(a.client_addr) as address, a.state, a.state_change::text as since
  from pg_locks l left join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = ${migrationLock} and l.objsubid = 1
    and l.database = (select oid from pg_database where datname = current_database())`

/**
 * Polls until it holds the lock; throws after `waitMs`. A session that waited inside a statement would block a rival's `create index
 * concurrently`, which in turn would block that session.
 */
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

/** Closing the connection releases the lock as well, except behind a pooler that keeps the session for others. */
export async function releaseMigrationLock(client: pg.Client): Promise<void> {
  // A connection that is gone has no lock.
  await askLock(client, 'pg_advisory_unlock').catch(() => undefined)
}

async function askLock(client: pg.Client, call: 'pg_try_advisory_lock' | 'pg_advisory_unlock'): Promise<boolean> {
  const { rows } = await ask<{ done: boolean }>(client, `select ${call}($1) as done`, [migrationLock])
  return rows[0]?.done === true
}

/** The queries wait for no lock, so only a server that has stopped answering can exceed this timeout. */
const ask = async <Row extends object>(client: pg.Client, text: string, values: readonly unknown[] = []) =>
  await answerInTime(client.query<Row>(text, [...values]))

function describe(holder: LockHolder | null): string {
  if (holder === null) return ''
  const { pid, application, address, state, since } = holder
  const from = `${application ?? 'an unnamed program'} at ${address ?? 'an unknown address'}`
  return `: session ${pid} of ${from} has its lock (${state ?? 'unknown state'} since ${since ?? 'an unknown time'}); end it with pg_terminate_backend(${pid}) if it is no migration`
}
