// What the soak can do, by name, and on which cluster where the usual one will not do.
import { killAndFreezeSkewed, rollOverMonth, shifting, skewed } from './_clock-scenarios.ts'
import type { MortalDatabase } from './_database.ts'
import { deleteWhileIngesting, purgingSoon } from './_delete-scenario.ts'
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
import type { Result } from './_under.ts'
import { upgradeEverything, upgradeToMute } from './_upgrade-scenario.ts'
import { freezeWriter, freezeWriterWithoutFence, writing, writingWithoutFence } from './_writer-scenarios.ts'

type Mortal = Scene<MortalDatabase>
export type Scenario = {
  readonly run: (scene: Mortal) => Promise<Result>
  /** The usual cluster where not given; scenarios with the same options share one. */
  readonly on?: SceneOptions<MortalDatabase>
}

const usual = (run: Scenario['run']): Scenario => ({ run })
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
  'quota-8': { run: raceForQuota, on: eightFronts },
  cut: usual(cutDatabase),
  orphan: usual(killOwnerWithoutDatabase),
  rewind: usual(rewindDatabase),
  revoke: usual(revokeWithoutNats),
  secret: usual(changeSecret),
  deaf: usual(cutOffFromNats),
  blind: usual(cutOffFromDatabase),
  upgrade: usual(upgradeEverything),
  'upgrade-mute': usual(upgradeToMute),
  month: { run: rollOverMonth, on: shifting },
  skew: { run: killAndFreezeSkewed, on: skewed },
  'hang-1-of-3': { run: hangServer, on: threeServers },
  'kill-1-of-3': { run: killServer, on: threeServers },
  split: { run: cutRoute, on: split },
  'split-blind': { run: cutRouteAndDatabase, on: split },
  slow: usual(slowDatabase),
  reads: usual(exhaustReads),
  disk: { run: fillDisk, on: smallDisk },
  delete: { run: deleteWhileIngesting, on: purgingSoon },
  writer: { run: freezeWriter, on: writing },
  'writer-control': { run: freezeWriterWithoutFence, on: writingWithoutFence },
}

export const core = ['kill', 'freeze', 'roll', 'nats', 'database']
