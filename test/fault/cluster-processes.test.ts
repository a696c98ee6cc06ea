// Processes of a cluster are killed, frozen and replaced under load: nothing is lost, nothing is stored twice, quotas are exact.
import test from 'ava'
import {
  endOwner,
  freezeOwner,
  freezeShortly,
  killFront,
  killOwner,
  raceForQuota,
  rollEverything,
} from './_process-scenarios.ts'
import { openScene, type Scene } from './_scene.ts'
import type { Result } from './_under.ts'

let scene: Scene

test.before(async (t) => {
  t.timeout(100_000)
  scene = await openScene({ slack: 4 })
})
test.after.always(async () => await scene?.stop())

function declare(title: string, run: (on: Scene) => Promise<Result>): void {
  test.serial(title, async (t) => {
    t.timeout(100_000)
    const { faults, figures } = await run(scene)
    t.log(JSON.stringify(figures))
    t.deepEqual(faults, [])
  })
}

// First, while everything is where it belongs.
declare('an owner that is frozen for two seconds keeps what it has', freezeShortly)
declare('SIGTERM of an owner: it hands over what it has', endOwner)
declare('kill -9 of an owner: others take over, and clients do not notice', killOwner)
declare('an owner that is frozen until others took over answers nothing of what waited in it', freezeOwner)
declare('kill -9 of a front, and each batch sent to two at once: stored once all the same', killFront)
declare('many senders race for the last of a quota while its owner is killed: it is used up exactly', raceForQuota)
declare('everything is replaced, one after another, and no request fails', rollEverything)
