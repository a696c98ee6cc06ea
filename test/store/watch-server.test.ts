// Which answers count as a server that no longer accepts connections, and which do not.
import { once } from 'node:events'
import { createServer } from 'node:net'
import test from 'ava'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/store/embedded/server.ts'
import { askServer, makeHealthJudge, type ServerState, watchLimits } from '../../src/store/watch-server.ts'
import { askInTime } from '../_kit/ask-in-time.ts'
import { makeDataDir } from '../_kit/data-dir.ts'
import { findFreePorts } from '../_kit/free-port.ts'

/** Returns after how many of these answers the server would be ended; null if not within 1,000 of them. */
function countUntilEnded(answer: ServerState, tookMs: number, isRecovering: boolean | null = false): number | null {
  const suspect = makeHealthJudge(() => isRecovering, watchLimits)
  for (let times = 1; times <= 1_000; times += 1) if (suspect(answer, tookMs) !== null) return times
  return null
}

test('a state must last: the first response only begins it', (t) => {
  t.is(countUntilEnded('shutting down', 1_000), 1 + watchLimits.shuttingDownMs / 1_000)
  t.is(countUntilEnded('starting', 1_000), 1 + watchLimits.notRecoveringMs / 1_000)
  t.is(countUntilEnded('none', 1_000), 1 + watchLimits.noAnswerMs / 1_000)
  t.is(countUntilEnded('none', 6_000), 1 + watchLimits.noAnswerMs / 6_000)
  t.is(countUntilEnded('accepts', 1_000), null)
  t.is(countUntilEnded('unclear', 1_000), null)
})

test('a recovery has no time limit, even if the system does not list processes', (t) => {
  t.is(countUntilEnded('starting', 1_000, true), null)
  t.is(countUntilEnded('starting', 1_000, null), null)
})

test('a pause of the machine between two answers proves nothing', (t) => {
  t.is(countUntilEnded('shutting down', 60_000), countUntilEnded('shutting down', 1_000))
  t.is(countUntilEnded('starting', 60_000), countUntilEnded('starting', 1_000))
  t.is(countUntilEnded('none', 60_000), countUntilEnded('none', 6_000))
})

test('another kind of answer resets the judgement, and one that proves nothing does not', (t) => {
  const suspect = makeHealthJudge(() => false, watchLimits)
  const tell = (answer: ServerState, times: number): (string | null)[] =>
    Array.from({ length: times }, () => suspect(answer, 1_000))
  const almost = watchLimits.shuttingDownMs / 1_000
  for (const other of ['accepts', 'starting', 'none'] as const)
    t.true([...tell('shutting down', almost), ...tell(other, 1)].every((reason) => reason === null))
  t.deepEqual([...tell('shutting down', almost), ...tell('unclear', 5)].filter(Boolean), [])
  t.is(tell('shutting down', 1)[0], 'it has been shutting down for 3 s and does not end')
})

test('a server whose connections are all in use accepts connections; one that does not answer, or listen, does not', async (t) => {
  const server = await startEmbeddedPostgres({
    dataDir: makeDataDir(t),
    settings: ['max_connections=5', 'superuser_reserved_connections=0'],
    onLine: () => undefined,
  })
  t.teardown(() => server.stop())
  const url = server.url('postgres')
  t.is(await askInTime(url), 'accepts')
  const clients: pg.Client[] = []
  const connectAnother = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    await client.connect()
    clients.push(client)
  }
  const fill = async (): Promise<never> => {
    for (;;) await connectAnother()
  }
  await t.throwsAsync(fill, { code: '53300' })
  t.is(await askInTime(url), 'accepts')
  await Promise.all(clients.map((client) => client.end()))
  // Reserved, so that no server of another test uses it.
  const [unused] = await findFreePorts(1)
  t.is(await askServer(`postgres://tracewright:none@127.0.0.1:${unused}/postgres`), 'none')

  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  t.is(await askServer(`postgres://tracewright:none@127.0.0.1:${port}/postgres`), 'none')
  silent.close()
  const rude = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(rude, 'listening')
  const rudeAddress = rude.address()
  const rudePort = typeof rudeAddress === 'object' && rudeAddress !== null ? rudeAddress.port : 0
  t.is(await askInTime(`postgres://tracewright:none@127.0.0.1:${rudePort}/postgres`), 'unclear')
  rude.close()
})
