import { isDeepStrictEqual } from 'node:util'
import test from 'ava'
import { loadStatements } from '../../src/store/statements.ts'
import { insertWorkspaceRow } from '../_kit/batch.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'
import { makeRandom } from '../_kit/random.ts'
import { settleUnhurried } from '../_kit/settle.ts'
import { seed } from '../_kit/soak.ts'
import { countFreshScopes, foldAllScopes, readStoredScopes } from './_scope-truth.ts'
import { makeTraces, runStorm, type StormOptions } from './_storm.ts'
import { countFresh, differences, finishAll, readStored } from './_truth.ts'

let base: TestDatabase
test.beforeEach(async () => {
  base = await makeDatabase()
})
test.afterEach.always(async () => await base.stop())

/** More than the control ever needed, and no more than a slow machine can try before the test times out. */
const maxSeeds = 25

type Weather = Pick<StormOptions, 'cuts' | 'spoil' | 'rebuilds'> & { readonly seed: number; readonly traces: number }

async function weather(t: { log: (text: string) => void }, { seed, traces, ...options }: Weather): Promise<string[]> {
  const workspaceId = await insertWorkspaceRow(base.query)
  const random = makeRandom(seed)
  const events = makeTraces(random, traces)
  const storm = await runStorm(base, { random, workspaceId, events, ...options })
  t.log(`seed ${seed}: ${JSON.stringify(storm)}`)
  while (options.rebuilds && (await settleUnhurried(base.db, 0)).traces > 0);
  await finishAll(base.db, workspaceId)
  const fresh = await countFresh(base.db, workspaceId)
  const stored = await readStored(base, workspaceId)
  if (Object.keys(fresh).length < 10) throw new Error('the storm left too little to compare')
  await foldAllScopes(base, workspaceId)
  const scopes = [await countFreshScopes(base, workspaceId), await readStoredScopes(base, workspaceId)] as const
  return [...differences(fresh, stored), ...(isDeepStrictEqual(...scopes) ? [] : ['scopes'])]
}

const countDeadlocks = async (): Promise<number> => {
  const [row] = await base.query<{ deadlocks: number }>(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  return row?.deadlocks ?? Number.NaN
}

test.serial(
  'after a storm every row is, byte for byte, a fresh count of the events; and nobody deadlocked',
  async (t) => {
    t.deepEqual(await weather(t, { seed, traces: 60, cuts: true, rebuilds: true }), [])
    t.is(await countDeadlocks(), 0)
  },
)

test.serial(
  'so it is where nothing is counted anew, and would not be if folds neither waited for each other nor saw one snapshot',
  async (t) => {
    const calm = { traces: 60, cuts: false, rebuilds: false }
    t.deepEqual(await weather(t, { seed: 1, ...calm }), [])
    const statements = new Map(loadStatements())
    statements.set('rollups/hold-workspaces', 'select id from workspaces where id = any ($1::uuid[])')
    const spoil = { statements, snapshot: false }
    let differ: string[] = []
    // Whether folds overlap where it matters depends on the machine: each seed is one more chance.
    for (let seed = 1; seed <= maxSeeds && differ.length === 0; seed += 1)
      differ = await weather(t, { seed, ...calm, spoil })
    t.true(differ.length > 0)
  },
)
