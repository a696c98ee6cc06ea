// A connection for a few queries before the pools exist. Each query is answered within seconds or fails.
import pg from 'pg'

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
