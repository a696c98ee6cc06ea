import test from 'ava'
import pg from 'pg'
import { runInTime } from '../_kit/in-time.ts'
import { type CallResult, startService } from '../_kit/serve.ts'
import { signUp } from '../_kit/sign-up.ts'
import { until } from '../_kit/until.ts'

/** Twice the connections that a front has for reads. */
const many = 16

test('a workspace whose reads hang leaves connections for the reads of others', async (t) => {
  const service = await startService()
  const locker = new pg.Client({ connectionString: service.databaseUrl })
  try {
    const other = await signUp(service.baseUrl)
    await locker.connect()
    const read = async (workspaceId: string, path: string, token?: string): Promise<CallResult> =>
      await service.call('GET', `/v1/workspaces/${workspaceId}/${path}`, token === undefined ? {} : { token })
    const statuses = await runInTime(8_000, async () => {
      await locker.query('begin')
      await locker.query('lock table agents in access exclusive mode')
      const hanging = Promise.all(Array.from({ length: many }, async () => await read(service.workspaceId, 'agents')))
      await until(async () => await isAnyWaiting(service))
      const beside = (await read(other.workspaceId, 'findings', other.accessToken)).status
      await locker.query('rollback')
      return { beside, hung: new Set((await hanging).map(({ status }) => status)) }
    })
    t.deepEqual(statuses, { beside: 200, hung: new Set([200]) })
  } finally {
    await locker.end()
    await service.stop()
  }
})

async function isAnyWaiting({ query }: Awaited<ReturnType<typeof startService>>): Promise<boolean> {
  const [row] = await query<{ count: number }>(
    `select count(*)::int from pg_locks where relation = 'agents'::regclass and not granted
     and database = (select oid from pg_database where datname = current_database())`,
  )
  return (row?.count ?? 0) > 0
}
