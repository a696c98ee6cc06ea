// A rolling upgrade and the way back under load: nothing is lost, nothing is stored twice, no read fails. Here one actor and one front are
// upgraded, so that both releases run side by side all the time; `npm run soak -- --only upgrade` upgrades all parts.
import test from 'ava'
import { testTimeoutMs } from './_declare.ts'
import { keepScene } from './_keep-scene.ts'
import { makeCompatibleRelease, makeIncompatibleRelease } from './_releases.ts'
import { type Scene, twoActors } from './_scene.ts'
import { upgradeAndBack } from './_upgrade-scenario.ts'

const kept = keepScene(twoActors)
const parts = ({ cluster: { actors, fronts } }: Scene) => [...actors.slice(0, 1), ...fronts.slice(0, 1)]
test.after.always(kept.stop)

test.serial('to the next release and back, one process at a time, and no client is failed', async (t) => {
  t.timeout(testTimeoutMs)
  const next = makeCompatibleRelease()
  t.teardown(next.remove)
  const { faults, figures } = await kept.run(upgradeAndBack(next, { calmMs: 1_000, parts }))
  t.log(JSON.stringify(figures))
  t.deepEqual(faults, [], faults.join('; '))
})

test.serial(
  'a release that renames what this one still uses fails clients, which the same scenario finds',
  async (t) => {
    t.timeout(testTimeoutMs)
    const next = makeIncompatibleRelease()
    t.teardown(next.remove)
    const { faults } = await kept.run(upgradeAndBack(next, { calmMs: 1_000, parts }))
    t.log(faults[0])
    t.regex(faults[0] ?? '', /after the migration clients were failed: .*(traces|events)\?limit=20 5\d\d/)
  },
)
