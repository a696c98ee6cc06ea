// The time limit of a connection for a few queries: it ends a wait for a silent server, and counts no time in which this process stood still.
import test, { type ExecutionContext } from 'ava'
import { answerInTime, connectInTime, makeBriefClient } from '../../src/store/brief-client.ts'
import { endClient } from '../../src/store/end-client.ts'
import { makeDatabase } from '../_kit/db.ts'
import { openRelay } from '../_kit/relay.ts'
import { standStill } from '../_kit/standstill.ts'

const limitMs = 500

/** Logs in and asks, and the machine stands still for longer than the limit in the midst of both. */
async function askWithPauses(t: ExecutionContext, url: string): Promise<unknown[]> {
  const client = makeBriefClient(url, 'test')
  t.teardown(() => client.connection.stream.destroy())
  const connecting = connectInTime(client, limitMs)
  standStill(1.5 * limitMs)
  await connecting
  const answer = answerInTime(client.query<object>('select 1 as one'), limitMs)
  standStill(1.5 * limitMs)
  return (await answer).rows
}

test('a login and a query that a pause of the machine interrupts are completed', async (t) => {
  const base = await makeDatabase()
  t.teardown(base.stop)
  // On a busy machine the server may take longer than the limit as well.
  let rows: unknown[] | null = null
  for (let tries = 0; rows === null && tries < 5; tries += 1) rows = await askWithPauses(t, base.url).catch(() => null)
  t.deepEqual(rows, [{ one: 1 }])
})

test('a server that stops answering is given up, whether it is asked for a login or a query', async (t) => {
  const base = await makeDatabase()
  t.teardown(base.stop)
  const url = new URL(base.url)
  const relay = await openRelay(Number(url.port))
  t.teardown(relay.stop)
  url.port = String(relay.port)
  const open = makeBriefClient(url.href, 'test')
  await connectInTime(open, 60_000)
  relay.set('silent')
  await t.throwsAsync(answerInTime(open.query('select 1'), 100), { message: 'Query read timeout' })
  const next = makeBriefClient(url.href, 'test')
  await t.throwsAsync(connectInTime(next, 100), { message: 'timeout expired' })
  t.true(next.connection.stream.destroyed)
  await endClient(open)
})
