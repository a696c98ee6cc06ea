// A connection for a few queries before the pools exist. Each query is answered within seconds or fails.
import pg from 'pg'
import { isLoginRefused, readSqlstate, sqlstate } from './sqlstate.ts'

/** Longer than a working server takes for a query that needs no lock. */
export const askTimeoutMs = 5_000

/** Not connected yet. The caller ends it. */
export function makeBriefClient(url: string, name: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: askTimeoutMs,
    query_timeout: askTimeoutMs,
  })
  // The running query reports the error.
  client.on('error', () => undefined)
  return client
}

/** Connects. The error that it throws says what to check, and keeps the code of the failure. */
export async function connectBriefly(client: pg.Client): Promise<void> {
  try {
    await client.connect()
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
