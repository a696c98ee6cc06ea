// The processes of a cluster, its servers and the connections to them fail and recover under load: nothing is lost, nothing is stored
// twice, quotas are exact. Meanwhile an actor and a front are upgraded, and the front goes back: the later faults meet an actor of the next
// release and the newer schema. All share one cluster, since a start of its processes costs as much as a scenario. More scenarios run in the
// soak (`_soak-list.ts`), among them an owner that pauses, that hears nothing, or that dies while PostgreSQL is away, a database that went back
// to older epochs, NATS that hangs, several servers of NATS, a slow database and a full disk; `--only end,roll,upgrade` measures the hand-over,
// replaces all parts, and upgrades all parts and takes them back in order. The rules of ownership are tested without processes in
// `actors/owner/ownership.test.ts`.
import { openMortalDatabase } from './_database.ts'
import { declareScenarios } from './_declare.ts'
import { cutAndCrashDatabase, stopNats } from './_network-scenarios.ts'
import { freezeOwner, killFront, killOwner, raceForQuotaAtLast } from './_process-scenarios.ts'
import { makeCompatibleRelease } from './_releases.ts'
import { type Scene, twoActors } from './_scene.ts'
import { upgradeTo } from './_upgrade-scenario.ts'

/** One actor and one front, so that both releases run side by side. */
const some = {
  calmMs: 0,
  keepsActors: true,
  parts: ({ cluster: { actors, fronts } }: Scene) => [...actors.slice(0, 1), ...fronts.slice(0, 1)],
}

declareScenarios(
  {
    // The first two while no partition has moved.
    'NATS away: everything goes on, and nothing changes hands': stopNats(1_500),
    'connections to PostgreSQL that break in the middle of a commit, and kill -9 of PostgreSQL: 503 until it is back, and whatever was acknowledged is there':
      cutAndCrashDatabase(3_000),
    'to the next release, and a front back, one process at a time: no client is failed': upgradeTo(
      makeCompatibleRelease,
      some,
    ),
    'kill -9 of a front, and each batch sent to two at once: stored once all the same': killFront,
    'an owner that is frozen until others took over answers nothing of what waited in it': freezeOwner,
    'kill -9 of an owner: others take over, and clients do not notice': killOwner,
    'many senders race for the last of a quota while its owner is killed: it is used up exactly': raceForQuotaAtLast,
  },
  { ...twoActors, openDatabase: openMortalDatabase },
)
