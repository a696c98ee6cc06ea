// Refuses a database URL that leads through a pooler in transaction mode, which loses session locks and settings.
import type pg from 'pg'
import { answerInTime, connectBriefly, makeBriefClient } from './brief-client.ts'
import { endClient } from './end-client.ts'

const rounds = 3

/**
 * Detects the pooler by the server sessions of two connections that are open at once. Directly, or through a pooler in session mode, each
 * connection keeps one session of its own. A pooler in transaction mode picks a free session for each statement. If it picks the one that
 * was used last, the second connection gets the session of the first. If it picks them in turn, the first connection gets two different
 * sessions for two statements in a row, or both connections share the only one. So a shared or changing session proves such a pooler, and
 * neither occurs by chance otherwise. A statement of another client between two of ours may hide it once, hence the rounds. The data that a
 * pooler reports about itself proves nothing: it makes up the process id of the handshake in every mode. Throws an error that says what to
 * change, and the errors of connecting.
 */
export async function refuseTransactionPooler(url: string): Promise<void> {
  const first = makeClient(url)
  const second = makeClient(url)
  try {
    await connectBriefly(first)
    await connectBriefly(second)
    for (let round = 0; round < rounds; round += 1) {
      const pids = [await readSession(first), await readSession(first)]
      const other = await readSessionIfFree(second)
      if (other === null) return
      if (pids[0] !== pids[1] || pids.includes(other))
        throw new Error(
          'the database URL points to a connection pooler in transaction mode, which does not keep session locks and settings: ' +
            'use the address of PostgreSQL itself, or set the pooler to session mode',
        )
    }
  } finally {
    // Nothing depends on the close, so it is not awaited.
    for (const client of [first, second]) void endClient(client)
  }
}

const makeClient = (url: string): pg.Client => makeBriefClient(url, 'tracewright-session')

async function readSession(client: pg.Client): Promise<number | undefined> {
  const { rows } = await answerInTime(client.query<{ pid: number }>('select pg_backend_pid() as pid'))
  return rows[0]?.pid
}

/** Returns null if the second connection has to wait for a session while the first one is idle: the session is then not shared. */
async function readSessionIfFree(client: pg.Client): Promise<number | undefined | null> {
  try {
    return await readSession(client)
  } catch (error) {
    // The timeout has no code.
    if ((error as Error).message === 'Query read timeout') return null
    throw error
  }
}
