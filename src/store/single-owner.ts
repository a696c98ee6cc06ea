// Floor 2. One service to a database: a session lock that a second process finds taken.
import pg from 'pg'

export type SingleOwnerOptions = {
  readonly url: string
  /** The connection died and with it the lock: whoever holds it must stop at once. Called at most once, never after `release`. */
  readonly onLost: (error: Error) => void
  /** How long a predecessor that is just ending is waited for. */
  readonly waitMs?: number
}

export type SingleOwner = { release(): Promise<void> }

// Session locks of one key: 7277411 migrations, 7277412 this one, 7277413 signing keys, 7277414 retention.
const ownerLock = 7_277_412
const retryIntervalMs = 100

/**
 * Holds the lock on a connection of its own, since a pool would hand the session on. Throws where another process holds it.
 * Not for a database behind a pooler in transaction mode, which breaks session locks.
 */
export async function becomeSingleOwner(options: SingleOwnerOptions): Promise<SingleOwner> {
  const client = new pg.Client({
    connectionString: options.url,
    application_name: 'tracewright-owner',
    keepAlive: true,
  })
  let isHeld = false
  const lose = (error: Error): void => {
    if (!isHeld) return
    isHeld = false
    options.onLost(error)
  }
  client.on('error', lose)
  client.on('end', () => lose(new Error('the connection that holds the owner lock has ended')))
  await client.connect()
  try {
    await acquire(client, options.waitMs ?? 3_000)
  } catch (error) {
    await client.end()
    throw error
  }
  isHeld = true
  return {
    async release() {
      isHeld = false
      await client.end()
    },
  }
}

async function acquire(client: pg.Client, waitMs: number): Promise<void> {
  const deadlineMs = performance.now() + waitMs
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [ownerLock])
    if (rows[0]?.held === true) return
    if (performance.now() >= deadlineMs) {
      throw new Error(
        'another Tracewright process already runs on this database: stop it, or run as a cluster with NATS',
      )
    }
    await new Promise<void>((done) => setTimeout(done, retryIntervalMs))
  }
}
