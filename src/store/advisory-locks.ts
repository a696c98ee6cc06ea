// The register of PostgreSQL's advisory locks. A number must never change: two releases that run at the same time must meet in the lock.

export type AdvisoryLock = {
  /** The key of the form with one argument, or the first of two keys. The two forms have separate key spaces. Null: a hash of a text. */
  readonly key: number | null
  readonly arguments: 1 | 2
  /** The file that takes it, from the root of the repository. */
  readonly takenIn: string
}

/** What each lock serializes, per database. */
export const advisoryLocks = {
  /** Migrations. A session lock, held by one process at a time. */
  migration: { key: 7_277_411, arguments: 1, takenIn: 'src/store/migration-lock.ts' },
  /** Services. A session lock: exclusive for a single process, shared between those of a cluster. */
  owner: { key: 7_277_412, arguments: 1, takenIn: 'src/store/single-owner.ts' },
  /** Changes of the keys that sign sessions. */
  signingKeys: { key: 7_277_413, arguments: 1, takenIn: 'sql/query/accounts/lock-signing-keys.sql' },
  /** Batches of retention and of purges. */
  retention: { key: 7_277_414, arguments: 1, takenIn: 'sql/query/retention/begin-batch.sql' },
  /** Changes of the database users of the service. */
  logins: { key: 7_277_415, arguments: 1, takenIn: 'src/store/logins.ts' },
  /** Commits of revocations of API keys, whose numbers must grow in the order of the commits. */
  keyEvents: { key: 7_277_416, arguments: 1, takenIn: 'sql/migrate/0008_cluster.sql' },
  /** Slots of the agent cap, by workspace. */
  agentCap: { key: 7_277_412, arguments: 2, takenIn: 'sql/query/ingest/lock-agent-cap.sql' },
  /** Work on the rollups of a workspace. */
  rollups: { key: 7_277_415, arguments: 2, takenIn: 'sql/query/rollups/hold-workspaces.sql' },
  /** Writes of the findings of a workspace. A hash of 64 bits, which equals another key by chance only. */
  findings: { key: null, arguments: 1, takenIn: 'sql/query/findings/lock.sql' },
} as const satisfies Readonly<Record<string, AdvisoryLock>>
