// The servers of a cluster, and the connections to them, fail and recover under load. Longer scenarios run in the soak: NATS that hangs,
// several servers of NATS, a slow database and a full disk (`_soak-list.ts`).
import { openMortalDatabase } from './_database.ts'
import { declareScenarios } from './_declare.ts'
import {
  crashDatabase,
  cutDatabase,
  cutOffFromNats,
  killOwnerWithoutDatabase,
  revokeWithoutNats,
  rewindDatabase,
  stopNats,
} from './_network-scenarios.ts'
import { twoActors } from './_scene.ts'

declareScenarios(
  {
    'NATS away: everything goes on, and nothing changes hands': stopNats(1_500),
    'without NATS too, no front takes a revoked key for more than a second': revokeWithoutNats,
    'kill -9 of PostgreSQL: 503 until it is back, and whatever was acknowledged is there': crashDatabase(3_000),
    'connections to PostgreSQL that break in the middle of a commit lose nothing': cutDatabase,
    'an owner that hears nothing any more falls silent, and others take over': cutOffFromNats,
    'an owner that dies while PostgreSQL is away is replaced when it is back': killOwnerWithoutDatabase,
    'a database that went back to older epochs: none that was used is used again': rewindDatabase,
  },
  { ...twoActors, openDatabase: openMortalDatabase },
)
