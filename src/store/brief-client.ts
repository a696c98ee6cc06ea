// A connection for a few questions before there are pools, each of which is answered within seconds or fails.
import pg from 'pg'

/** More than a server that works takes for a question that needs no lock. */
export const askTimeoutMs = 5_000

/** Not connected yet; whoever makes it ends it. */
export function makeBriefClient(url: string, name: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: askTimeoutMs,
    query_timeout: askTimeoutMs,
  })
  // The statement under way tells it.
  client.on('error', () => undefined)
  return client
}
