// Closes a connection within a second, even if the server does not answer.
import type pg from 'pg'

const answerTimeoutMs = 1_000

/**
 * Says goodbye and waits for the server to close its side. If the server does not do so within a second, as when it is frozen, destroys the
 * socket.
 */
export async function endClient(client: pg.Client): Promise<void> {
  const late = setTimeout(() => client.connection.stream.destroy(), answerTimeoutMs)
  await client.end().finally(() => clearTimeout(late))
}
