// A front that stops in the middle of an ingest transaction, whose rows others need: the others go on, and nothing is lost or doubled.
import test, { type ExecutionContext } from 'ava'
import { makeDatabase } from '../_kit/db.ts'
import { openLink } from '../_kit/link.ts'
import { startNats } from '../_kit/nats.ts'
import { openCluster } from '../cluster/_cluster.ts'
import { freezeFront, withoutBound } from './_frozen-front.ts'
import type { Mutation } from './_mutant.ts'
import type { Result } from './_under.ts'

async function freeze(t: ExecutionContext, mutations: readonly Mutation[]): Promise<Result> {
  t.timeout(200_000)
  const database = await makeDatabase()
  t.teardown(database.stop)
  const nats = await startNats()
  t.teardown(nats.stop)
  const link = await openLink(database.url)
  t.teardown(link.stop)
  const cluster = await openCluster({
    databaseUrl: database.url,
    nats,
    actors: 1,
    settings: { DECODE_THREADS: 1, SETTLE_QUIET_MS: 200 },
    partSettings: (name) => (name === 'front-1' ? { DATABASE_URL: link.url(database.url) } : {}),
    nodeArguments: mutations.length > 0 ? ['--import', new URL('_mutant.ts', import.meta.url).href] : [],
    env: { MUTANT: JSON.stringify(mutations) },
  })
  t.teardown(cluster.stop)
  const [frozen, other] = cluster.fronts
  if (frozen === undefined || other === undefined) throw new Error('two fronts')
  const result = await freezeFront({ frozen, other, link, query: database.query })
  t.log(JSON.stringify(result.figures))
  return result
}

test.serial('no workspace waits longer than two seconds for it', async (t) => {
  const { faults, figures } = await freeze(t, [])
  t.deepEqual(faults, [])
  t.like(figures, { lost: 0, doubled: 0 })
})

test.serial('the control: where PostgreSQL does not end its transaction, they wait', async (t) => {
  const { faults, figures } = await freeze(t, [withoutBound])
  t.regex(faults.join('; '), /^a workspace waited \d+ ms for the frozen front; [^;]+$/)
  t.like(figures, { lost: 0, doubled: 0 })
})
