// Refuses a database URL that leads through a pooler in transaction mode, where locks and settings of a session are lost.
import type pg from 'pg'
import { makeBriefClient } from './brief-client.ts'
import { endClient } from './end-client.ts'

const rounds = 3

/**
 * Two connections are open at once. Each has a session of its own, for as long as it lives, where they lead to the server itself or through
 * a pooler in session mode. A pooler in transaction mode takes any free session for each statement, by one of two rules. Either the one that
 * was used last: then the second connection gets the session of the first. Or all in turn: then the first connection, asked twice in a row,
 * gets two different ones, or there is only one for both. So a session that is shared or that changes is a proof, and neither is found by
 * chance elsewhere. A statement of others between two of ours may hide it once, hence the rounds. What a pooler tells of itself is no
 * proof: it makes up the process id of the handshake in every mode. Throws the sentence that says what to change, and what connecting
 * throws.
 */
export async function refuseTransactionPooler(url: string): Promise<void> {
  const first = makeClient(url)
  const second = makeClient(url)
  try {
    await first.connect()
    await second.connect()
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
    // Nothing depends on it.
    for (const client of [first, second]) void endClient(client)
  }
}

const makeClient = (url: string): pg.Client => makeBriefClient(url, 'tracewright-session')

async function readSession(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}

/** Null where it has to wait for a session while the one of the other connection does nothing: that one is not shared. */
async function readSessionIfFree(client: pg.Client): Promise<number | undefined | null> {
  try {
    return await readSession(client)
  } catch (error) {
    // node-pg gives its timeout no code.
    if ((error as Error).message === 'Query read timeout') return null
    throw error
  }
}
