// The scenarios of the soak by name, each with its cluster where the usual one does not suffice.
import { killAndFreezeSkewed, rollOverMonth, shifting, skewed } from './_clock-scenarios.ts'
import type { MortalDatabase, SceneDatabase } from './_database.ts'
import { deleteWhileIngesting, purgingSoon } from './_delete-scenario.ts'
import { failOver, replicated, replicatedWithoutTimeline } from './_failover-scenario.ts'
import { freezeFrontOf, linkedFront, linkedFrontWithoutBound } from './_frozen-front.ts'
import { hangDatabase, hanging } from './_hang-scenario.ts'
import type { KeptScene } from './_keep-scene.ts'
import {
  crashDatabase,
  cutDatabase,
  cutOffFromDatabase,
  cutOffFromNats,
  hangNats,
  killOwnerWithoutDatabase,
  revokeWithoutNats,
  rewindDatabase,
  stopNats,
} from './_network-scenarios.ts'
import {
  endBesideThawed,
  endOwner,
  freezeOwner,
  freezeShortly,
  killFront,
  killOwner,
  raceForQuota,
  rollEverything,
} from './_process-scenarios.ts'
import type { Scene, SceneOptions } from './_scene.ts'
import { changeSecret } from './_secret-scenarios.ts'
import { cutRoute, cutRouteAndDatabase, hangServer, killServer, split, threeServers } from './_server-scenarios.ts'
import { exhaustReads, fillDisk, slowDatabase, smallDisk } from './_slow-scenarios.ts'
import { expectFault, type Result } from './_under.ts'
import { upgradeEverything, upgradeToMute } from './_upgrade-scenario.ts'
import { freezeWriter, freezeWriterWithoutFence, writing, writingWithoutFence } from './_writer-scenarios.ts'
import { revokeBeyondSplit, zones } from './_zones-scenario.ts'

/** One run of a scenario, on the kept cluster if its options match. */
export type Scenario = (kept: KeptScene<MortalDatabase>) => Promise<Result>

const usual =
  (run: (scene: Scene<MortalDatabase>) => Promise<Result>): Scenario =>
  (kept) =>
    kept.run(run)

/** Scenarios with the same options share a cluster. */
const on =
  <Database extends SceneDatabase>(
    options: SceneOptions<Database>,
    run: (scene: Scene<Database>) => Promise<Result>,
  ): Scenario =>
  (kept) =>
    kept.run(run, options)

const eightFronts: SceneOptions<MortalDatabase> = { fronts: 8 }

export const scenarios: Readonly<Record<string, Scenario>> = {
  kill: usual(killOwner),
  freeze: usual(freezeOwner),
  roll: usual(rollEverything),
  nats: usual(stopNats(1_500)),
  database: usual(crashDatabase(5_000)),
  end: usual(endOwner),
  thawed: usual(endBesideThawed),
  hang: usual(hangNats(4_000)),
  'hang-any': usual(async (scene) => await hangNats(1_000 + Math.random() * 7_000)(scene)),
  pause: usual(freezeShortly),
  front: usual(killFront),
  quota: usual(raceForQuota),
  'quota-8': on(eightFronts, raceForQuota),
  cut: usual(cutDatabase),
  orphan: usual(killOwnerWithoutDatabase),
  rewind: usual(rewindDatabase),
  revoke: usual(revokeWithoutNats),
  secret: usual(changeSecret),
  deaf: usual(cutOffFromNats),
  blind: usual(cutOffFromDatabase),
  upgrade: usual(upgradeEverything),
  'upgrade-mute': usual(upgradeToMute),
  month: on(shifting, rollOverMonth),
  skew: on(skewed, killAndFreezeSkewed),
  'hang-1-of-3': on(threeServers, hangServer),
  'kill-1-of-3': on(threeServers, killServer),
  split: on(split, cutRoute),
  'split-blind': on(split, cutRouteAndDatabase),
  slow: usual(slowDatabase),
  reads: usual(exhaustReads),
  disk: on(smallDisk, fillDisk),
  delete: on(purgingSoon, deleteWhileIngesting),
  failover: on(replicated, failOver),
  'failover-control': on(replicatedWithoutTimeline, async (scene) =>
    expectFault(await failOver(scene), /acknowledged spans are lost|events are stored where/),
  ),
  'front-frozen': on(linkedFront, freezeFrontOf),
  'front-frozen-control': on(linkedFrontWithoutBound, async (scene) =>
    expectFault(await freezeFrontOf(scene), /waited \d+ ms for the frozen front/),
  ),
  'database-hangs': on(hanging, hangDatabase),
  zones: on(zones, revokeBeyondSplit),
  writer: on(writing, freezeWriter),
  'writer-control': on(writingWithoutFence, freezeWriterWithoutFence),
}

export const core = ['kill', 'freeze', 'roll', 'nats', 'database']
