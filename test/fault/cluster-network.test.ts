// The servers of a cluster go away and come back under load, and so does the way to them. What takes longer is for the soak: NATS that
// hangs, several servers of NATS, a slow database and a full disk (`_soak-list.ts`).
import test from 'ava'
import { type MortalDatabase, openMortalDatabase } from './_database.ts'
import {
  crashDatabase,
  cutDatabase,
  cutOffFromNats,
  killOwnerWithoutDatabase,
  revokeWithoutNats,
  rewindDatabase,
  stopNats,
} from './_network-scenarios.ts'
import { openScene, type Scene } from './_scene.ts'
import type { Result } from './_under.ts'

let scene: Scene<MortalDatabase>

test.before(async (t) => {
  t.timeout(100_000)
  scene = await openScene({ openDatabase: openMortalDatabase, slack: 4 })
})
test.after.always(async () => await scene?.stop())

function declare(title: string, run: (on: Scene<MortalDatabase>) => Promise<Result>): void {
  test.serial(title, async (t) => {
    t.timeout(100_000)
    const { faults, figures } = await run(scene)
    t.log(JSON.stringify(figures))
    t.deepEqual(faults, [])
  })
}

declare('NATS away: everything goes on, and nothing changes hands', stopNats(1_500))
declare('without NATS too, no front takes a revoked key for more than a second', revokeWithoutNats)
declare('kill -9 of PostgreSQL: 503 until it is back, and whatever was acknowledged is there', crashDatabase(3_000))
declare('connections to PostgreSQL that break in the middle of a commit lose nothing', cutDatabase)
declare('an owner that hears nothing any more falls silent, and others take over', cutOffFromNats)
declare('an owner that dies while PostgreSQL is away is replaced when it is back', killOwnerWithoutDatabase)
declare('a database that went back to older epochs: none that was used is used again', rewindDatabase)
