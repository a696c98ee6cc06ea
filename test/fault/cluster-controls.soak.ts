// The controls of `cluster-faults.test.ts` on a real cluster: with one mechanism removed, the same checks find the fault that the mechanism
// prevents. Nothing is killed here if the fault occurs without that. The suite has the same controls without processes: of the fence in
// `actors/host.test.ts`, of the lock in `ingest/quota-rivals.test.ts`, of repeated spans in `kill-ingest.test.ts`.
// That an upgrade which fails clients is found is shown only here.
import test, { type ExecutionContext } from 'ava'
import { until } from '../_kit/until.ts'
import { testTimeoutMs } from './_declare.ts'
import { countLost } from './_judge.ts'
import { keepScene } from './_keep-scene.ts'
import { freezeOwner, raceForQuotaOnly, withoutFence, withoutLock } from './_process-scenarios.ts'
import { makeIncompatibleRelease } from './_releases.ts'
import { type Scene, twoActors } from './_scene.ts'
import { type Result, under } from './_under.ts'
import { upgradeTo } from './_upgrade-scenario.ts'

// These mutations are independent, so they can share a cluster.
const kept = keepScene({ ...twoActors, mutations: [withoutFence, withoutLock] })
test.after.always(kept.stop)

/** Runs a scenario on a cluster without these mechanisms. */
async function expectFault(t: ExecutionContext, run: (on: Scene) => Promise<Result>, fault: RegExp): Promise<void> {
  t.timeout(testTimeoutMs)
  const { faults } = await kept.run(run, undefined, fault)
  t.true(
    faults.some((one) => fault.test(one)),
    `${fault} is not among: ${faults.join('; ')}`,
  )
}

/** Sends each batch to two fronts at once. */
const sendTwice = (scene: Scene): Promise<Result> =>
  under(
    scene,
    {},
    async (load) => {
      await until(async () => (await countLost(scene.database.query, load)).doubled > 0)
      return {}
    },
    { copies: 2 },
  )

test.serial(
  'a release that renames what this one still uses fails clients, and ends before it replaces a process',
  async (t) => {
    const failed = /after the migration clients were failed: .*(traces|events)\?limit=20 5\d\d/
    await expectFault(t, upgradeTo(makeIncompatibleRelease, { calmMs: 0 }), failed)
  },
)

test.serial('without the fence, a frozen owner answers its waiting requests', async (t) => {
  await expectFault(t, freezeOwner, /^the zombie answered/)
})

test.serial('without the lock on the count of the month, more than the quota is stored', async (t) => {
  const passed = /the cap of \d+ was passed/
  /** Where no two requests passed a cap at the same time, there is a race for further ones. */
  const raceUntilPassed = async (scene: Scene): Promise<Result> => {
    const result = await raceForQuotaOnly(scene)
    const isFound = result.faults.some((one) => passed.test(one))
    return isFound ? result : await raceUntilPassed(scene)
  }
  await expectFault(t, raceUntilPassed, passed)
})

test.serial('without duplicate detection, a span is stored twice', async (t) => {
  const blurred = async (scene: Scene): Promise<Result> => {
    await scene.database.query(`create function blur() returns trigger language plpgsql as
      'begin new.start_time := new.start_time + random() * interval ''1 millisecond''; return new; end'`)
    await scene.database.query('create trigger blur before insert on events for each row execute function blur()')
    return await sendTwice(scene)
  }
  await expectFault(t, blurred, /are stored twice/)
})
