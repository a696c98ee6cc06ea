// Closing a connection of its own, whatever the server does.
import type pg from 'pg'

const answerTimeoutMs = 1_000

/** Says goodbye and waits for the server to close its side. One that does not within a second, as when it is frozen, is not waited for. */
export async function endClient(client: pg.Client): Promise<void> {
  const late = setTimeout(() => client.connection.stream.destroy(), answerTimeoutMs)
  await client.end().finally(() => clearTimeout(late))
}
