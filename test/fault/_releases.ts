// Possible next releases: one that keeps the rules, and two that break them.
import type { Mutation } from './_mutant.ts'
import { makeNextRelease, type NextRelease } from './_next-release.ts'

export const compatibleEdits: readonly Mutation[] = [
  {
    file: 'sql/query/ingest/upsert-traces.sql',
    from: 'models, tools, settled, last_received_at\n)',
    to: 'models, tools, settled, last_received_at, region, region_checked_at\n)',
  },
  {
    file: 'sql/query/ingest/upsert-traces.sql',
    from: '  clock_timestamp()\nfrom (',
    to: "  clock_timestamp(), 'north', now()\nfrom (",
  },
  {
    file: 'src/actors/heartbeat.ts',
    from: 'encodeMessage({ v: version, ...heartbeat })',
    to: "encodeMessage({ v: version, ...heartbeat, release: '99.0.0', zones: [1, 2] })",
  },
  {
    file: 'src/actors/heartbeat.ts',
    from: 'encodeMessage({ v: version, ...news })',
    to: 'encodeMessage({ v: version, ...news, why: { since: 1 } })',
  },
  {
    file: 'src/actors/envelope.ts',
    from: 'encodeMessage({ v: version, ...envelope })',
    to: "encodeMessage({ v: version, ...envelope, origin: { release: '99.0.0' } })",
  },
  {
    file: 'src/actors/envelope.ts',
    from: 'const bytes = encodeMessage({ v: version, ...reply })',
    to: 'const bytes = encodeMessage({ v: version, ...reply, tookMs: 1 })',
  },
]

/** A release that writes columns which this one does not know, and adds fields to every message. */
export const makeCompatibleRelease = (): NextRelease =>
  makeNextRelease(
    {
      region: `-- Where a trace came from.
alter table events add column region text;
alter table traces add column region text not null default 'unknown', add column region_checked_at timestamptz;
create table regions (name text primary key);`,
      traces_by_region: `-- no-transaction
-- Built while others write.
drop index concurrently if exists traces_by_region;
create index concurrently traces_by_region on traces (workspace_id, region);`,
    },
    compatibleEdits,
  )

/** A release that breaks the rule: it renames a column that this release still uses. */
export const makeIncompatibleRelease = (): NextRelease =>
  makeNextRelease({ renamed: '-- Renames.\nalter table traces rename column name to title;' }, [])

export const muteEdits: readonly Mutation[] = [
  {
    file: 'src/actors/envelope.ts',
    from: 'encodeMessage({ v: version, ...envelope })',
    to: 'encodeMessage({ v: version, ...envelope, op: undefined, operation: envelope.op })',
  },
]

/** A release that changes the format of messages: no actor of this release understands its fronts. */
export const makeMuteRelease = (): NextRelease => makeNextRelease({ nothing: '-- Nothing.\nselect 1;' }, muteEdits)
