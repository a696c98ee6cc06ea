// The processes of a cluster, its servers and the connections to them fail and recover under load: nothing is lost, nothing is stored
// twice, quotas are exact. Then it is upgraded. All share one cluster, since a start of its processes costs as much as a scenario. More
// scenarios run in the soak (`_soak-list.ts`), among them an owner that pauses, that hears nothing, or that dies while PostgreSQL is away, a
// database that went back to older epochs, NATS that hangs, several servers of NATS, a slow database and a full disk; `--only
// end,roll,upgrade` measures the hand-over, replaces all parts and upgrades all parts. The rules of ownership are tested without processes
// in `actors/owner/ownership.test.ts`.
import { openMortalDatabase } from './_database.ts'
import { declareScenarios } from './_declare.ts'
import { crashDatabase, cutDatabase, stopNats } from './_network-scenarios.ts'
import { freezeOwner, killFront, killOwner, raceForQuota } from './_process-scenarios.ts'
import { makeCompatibleRelease } from './_releases.ts'
import { type Scene, twoActors } from './_scene.ts'
import { upgradeTo } from './_upgrade-scenario.ts'

/** One actor and one front, so that both releases run side by side all the time. */
const some = {
  calmMs: 0,
  parts: ({ cluster: { actors, fronts } }: Scene) => [...actors.slice(0, 1), ...fronts.slice(0, 1)],
}

declareScenarios(
  {
    // First, while no partition has moved.
    'NATS away: everything goes on, and nothing changes hands': stopNats(1_500),
    'kill -9 of PostgreSQL: 503 until it is back, and whatever was acknowledged is there': crashDatabase(3_000),
    'connections to PostgreSQL that break in the middle of a commit lose nothing': cutDatabase,
    'kill -9 of a front, and each batch sent to two at once: stored once all the same': killFront,
    'an owner that is frozen until others took over answers nothing of what waited in it': freezeOwner,
    'kill -9 of an owner: others take over, and clients do not notice': killOwner,
    'many senders race for the last of a quota while its owner is killed: it is used up exactly': raceForQuota,
    // Last, since an actor keeps the next release: a start of the front shows that a process of this release starts on the newer schema.
    'to the next release and back, one process at a time, and no client is failed': upgradeTo(makeCompatibleRelease, {
      ...some,
      partsBack: ({ cluster }) => cluster.fronts.slice(0, 1),
    }),
  },
  { ...twoActors, openDatabase: openMortalDatabase },
)
