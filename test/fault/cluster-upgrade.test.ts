// A rolling upgrade and the way back under load: nothing is lost, nothing stored twice, no read fails. Here of one actor and one front,
// so that both releases run side by side all the time; `npm run soak -- --only upgrade` moves everything.
import test from 'ava'
import { makeCompatibleRelease, makeIncompatibleRelease } from './_releases.ts'
import { openScene, type Scene } from './_scene.ts'
import { upgradeAndBack } from './_upgrade-scenario.ts'

test.serial('to the next release and back, one process at a time, and no client is failed', async (t) => {
  t.timeout(150_000)
  const next = makeCompatibleRelease()
  t.teardown(next.remove)
  const scene = await openScene({ slack: 4 })
  try {
    const parts = ({ cluster: { actors, fronts } }: Scene) => [...actors.slice(0, 1), ...fronts.slice(0, 1)]
    const { faults, figures } = await upgradeAndBack(next, { calmMs: 1_000, parts })(scene)
    t.log(JSON.stringify(figures))
    t.deepEqual(faults, [])
  } finally {
    await scene.stop()
  }
})

test.serial(
  'a release that renames what this one still uses fails clients, which the same scenario finds',
  async (t) => {
    t.timeout(100_000)
    const next = makeIncompatibleRelease()
    t.teardown(next.remove)
    const scene = await openScene({ slack: 2 })
    try {
      const error = await t.throwsAsync(upgradeAndBack(next, { calmMs: 1_000 })(scene))
      t.log(error.message)
      t.regex(error.message, /^after the migration clients were failed: .*(traces|events)\?limit=20 5\d\d/)
    } finally {
      await scene.stop()
      next.remove()
    }
  },
)
