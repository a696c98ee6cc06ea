// Connections outside the pools, and time limits for their logins and queries.
import pg from 'pg'
import { late, withRunningTimeout } from '../base/within.ts'
import { isLoginRefused, readSqlstate, sqlstate } from './sqlstate.ts'

/** Longer than a working server takes for a login, or for a query that needs no lock. */
export const answerTimeoutMs = 5_000

/** Not connected yet. The caller ends it. Sets no time limit for logins and queries: use `connectInTime` and `answerInTime`. */
export function makeBriefClient(url: string, name: string): pg.Client {
  const client = new pg.Client({ connectionString: url, application_name: name })
  // The running query reports the error. A server that is killed after its last answer breaks a connection that is being closed.
  client.on('error', () => undefined)
  return client
}

/**
 * Connects, or throws an error with the text of node-pg's own timeout after 5 s in which this process ran. The timers of node-pg count time
 * in which the machine was paused, and fire after it before the answers that have arrived meanwhile are read.
 */
export async function connectInTime(client: pg.Client, timeoutMs = answerTimeoutMs): Promise<void> {
  if ((await withRunningTimeout(timeoutMs, client.connect())) !== late) return
  client.connection.stream.destroy()
  throw new Error('timeout expired')
}

/**
 * Returns or throws what the queries do, or throws an error with the text of node-pg's own timeout after 5 s in which this process ran. A
 * query that is late still occupies its connection.
 */
export async function answerInTime<T>(answer: Promise<T>, timeoutMs = answerTimeoutMs): Promise<T> {
  const result = await withRunningTimeout(timeoutMs, answer)
  if (result === late) throw new Error('Query read timeout')
  return result
}

/** Connects like `connectInTime`. The error that it throws says what to check, and keeps the code of the failure. */
export async function connectBriefly(client: pg.Client): Promise<void> {
  try {
    await connectInTime(client)
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    const { code } = cause as NodeJS.ErrnoException
    const message = `${cause.message}: ${advise(cause)}`
    throw Object.assign(new Error(message, { cause }), code === undefined ? {} : { code })
  }
}

function advise(error: Error): string {
  if (isLoginRefused(error)) return 'check the user and the password in the database URL'
  if (readSqlstate(error) === sqlstate.undefinedDatabase)
    return 'create the database, or correct its name in the database URL'
  if (readSqlstate(error) !== null) return 'PostgreSQL refused the connection of the database URL'
  return 'check the host and the port in the database URL, and that PostgreSQL runs there and can be reached'
}
