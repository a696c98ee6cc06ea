// A front stops in the middle of an ingest transaction whose rows others need: the others continue, and nothing is lost or doubled.
import test, { type ExecutionContext } from 'ava'
import { makeDatabase } from '../_kit/db.ts'
import { type Link, openLink } from '../_kit/link.ts'
import { startNats } from '../_kit/nats.ts'
import { openCluster } from '../cluster/_cluster.ts'
import { freezeFront, withoutBound } from './_frozen-front.ts'
import type { Result } from './_under.ts'

/** The control: PostgreSQL does not end its transactions. */
const unbound = 'front-2'

const stops: (() => Promise<unknown>)[] = []
test.after.always(async () => {
  for (let end = stops.pop(); end !== undefined; end = stops.pop()) await end()
})

/** Opens two fronts, each with its own link to the database: one of them is frozen, and the other one continues. */
async function open() {
  const database = await makeDatabase()
  stops.push(database.stop)
  const nats = await startNats()
  stops.push(nats.stop)
  const links = new Map<string, Link>()
  for (const name of ['front-1', unbound]) {
    const link = await openLink(database.url)
    stops.push(link.stop)
    links.set(name, link)
  }
  const cluster = await openCluster({
    databaseUrl: database.url,
    nats,
    fronts: 2,
    actors: 1,
    settings: { DECODE_THREADS: 1, SETTLE_QUIET_MS: 200 },
    partSettings(name) {
      const link = links.get(name)
      return link === undefined ? {} : { DATABASE_URL: link.url(database.url) }
    },
    nodeArguments: ['--import', new URL('_mutant.ts', import.meta.url).href],
    env: { MUTANT: JSON.stringify([{ ...withoutBound, member: unbound }]) },
  })
  stops.push(cluster.stop)
  return { cluster, links, query: database.query }
}

const opening = open()

async function freeze(t: ExecutionContext, name: string): Promise<Result> {
  t.timeout(200_000)
  const { cluster, links, query } = await opening
  await cluster.settled()
  const frozen = cluster.fronts.find((front) => front.name === name)
  const other = cluster.fronts.find((front) => front.name !== name)
  const link = links.get(name)
  if (frozen === undefined || other === undefined || link === undefined) throw new Error(`${name} and another front`)
  const result = await freezeFront({ frozen, other, link, query })
  t.log(JSON.stringify(result.figures))
  return result
}

test.serial('no workspace waits longer than two seconds for it', async (t) => {
  const { faults, figures } = await freeze(t, 'front-1')
  t.deepEqual(faults, [], faults.join('; '))
  t.like(figures, { lost: 0, doubled: 0 })
})

test.serial('the control: where PostgreSQL does not end its transaction, they wait', async (t) => {
  const { faults, figures } = await freeze(t, unbound)
  t.regex(faults.join('; '), /^a workspace waited \d+ ms for the frozen front; [^;]+$/)
  t.like(figures, { lost: 0, doubled: 0 })
})
