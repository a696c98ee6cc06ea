// Expand, then contract: a migration removes nothing that the previous release uses, and blocks no one.
import test from 'ava'
import { findRisks } from './_migration-rules.ts'
import { listFiles } from './_source.ts'

type MigrationFile = { readonly version: number; readonly text: string }

// These were applied before there was traffic to serve meanwhile, and are never edited.
const landed = 8
const files = listFiles(['sql/migrate'], ['.sql']).map(({ path, text }) => ({
  version: Number(path.slice(12, 16)),
  text,
}))

const readRetired = (text: string): string[] =>
  [...text.matchAll(/^-- retires: (.*)$/gm)].flatMap(([, list = '']) =>
    list.split(',').map((one) => one.trim().split(' ')[0] ?? ''),
  )

/**
 * Returns the faults of a file as sentences. A file may remove only what an earlier file has retired by `-- retires: table.column, index`,
 * since the release of that file no longer uses it. `-- min-schema: N` excludes older code, where N is that file or a later one.
 */
function judge({ version, text }: MigrationFile, all: readonly MigrationFile[]): string[] {
  const floor = Number(/^-- min-schema: (\d+)$/m.exec(text)?.[1] ?? 0)
  const retired = new Set(
    all.filter((file) => file.version <= floor && file.version < version).flatMap((file) => readRetired(file.text)),
  )
  const risks = findRisks(text)
  const faults = risks.flatMap(({ kind, what, object }) => {
    if (kind !== 'takes') return [`${what}: ${object}`]
    if (floor === 0) return [`${what}: ${object}, without a floor`]
    return retired.has(object) ? [] : [`${what}: ${object}, which nobody has retired up to ${floor}`]
  })
  if (floor >= version) faults.push('its floor is not below it')
  if (floor > 0 && !risks.some(({ kind }) => kind === 'takes')) faults.push('a floor, and nothing is taken away')
  return faults
}

test('every migration since the first release adds, or removes only what was retired before, without long locks', (t) => {
  const faults = files
    .filter(({ version }) => version > landed)
    .flatMap((file) => judge(file, files).map((fault) => `${file.version} ${fault}`))
  t.deepEqual(faults, [])
  t.deepEqual(
    files.map(({ version }) => version),
    files.map((_, at) => at + 1),
  )
})

const taken: Readonly<Record<string, string>> = {
  'alter table events drop column note': 'drops a column: events.note',
  'ALTER TABLE ONLY "events" DROP IF EXISTS note, add other text': 'drops a column: events.note',
  'alter table events add other text, drop note': 'drops a column: events.note',
  'alter table events drop constraint if exists c': 'drops a constraint: events.c',
  'alter table events alter note drop default': 'drops a default: events.note',
  'alter table events alter column note drop not null': 'lets a column be null: events.note',
  'alter table events alter column note set not null': 'sets a column not null: events.note',
  'alter table events alter column note type bigint': 'changes a type: events.note',
  'alter table events alter note set data type bigint using note::bigint': 'changes a type: events.note',
  'alter table events rename column note to remark': 'renames: events.note',
  'alter table events rename note to remark': 'renames: events.note',
  'alter table events rename constraint c to d': 'renames: events.c',
  'alter table events\n  rename to spans': 'renames: events',
  'alter table events set schema old': 'moves to another schema: events',
  'alter table events add column note text not null': 'adds a column that must be given: events.note',
  "alter table events add note numeric(9, 2) not null check (note > 0), add x text default 'y'":
    'adds a column that must be given: events.note',
  'alter table events add constraint c check (note > 0) not valid': 'adds a constraint: events.c',
  'alter table events add constraint c unique using index i': 'adds a constraint: events.c',
  'alter table events enable row level security': 'hides rows: events',
  'create policy p on events using (true)': 'hides rows: events',
  'alter index events_by_trace rename to other': 'renames: events_by_trace',
  "alter type mood rename value 'a' to 'b'": 'renames: mood',
  'drop table agents': 'drops a table: agents',
  'drop table if exists agents cascade': 'drops a table: agents',
  'drop index traces_by_start': 'drops a index: traces_by_start',
  'drop function chunk_tables()': 'drops a function: chunk_tables',
  'drop trigger api_keys_told on api_keys': 'drops a trigger: api_keys_told',
  'drop materialized view seen': 'drops a materialized view: seen',
  'truncate table agents': 'empties a table: agents',
  'delete from agents where true': 'removes rows: agents',
  'revoke select on agents from someone': 'takes privileges away: agents',
  "do $$ begin execute 'dr' || 'op table agents'; end $$": 'hides in a block: execute',
  'do $$ begin if true then alter table agents drop id; end if; end $$': 'hides in a block: drop',
}

const blocking: Readonly<Record<string, string>> = {
  'create index a on traces (name)': 'builds an index: traces.a',
  'create index on only traces (name)': 'builds an index: traces.',
  'alter table traces add constraint c foreign key (id) references agents': 'checks every row: traces.c',
  'alter table traces add unique (name)': 'builds an index: traces',
  'alter table traces add note uuid default gen_random_uuid()': 'writes every row: traces.note',
  'alter table traces add note bigint generated always as (span_count + 1) stored': 'writes every row: traces.note',
  'alter table traces add note bigserial': 'writes every row: traces.note',
  'alter table traces set unlogged': 'writes a table anew: traces',
  'vacuum full traces': 'writes a table anew: traces',
  'lock table traces in share mode': 'locks a table: traces',
  'reindex table traces': 'builds an index: traces',
  "update traces set name = ''": 'changes rows of a large table: traces',
  'create index concurrently a on traces (name)': 'builds concurrently in a transaction: traces.a',
  '-- no-transaction\ncreate index concurrently a on traces (name)': 'cannot be repeated: traces.a',
  '-- no-transaction\ndrop index concurrently if exists a;\ncreate index concurrently a on events (name)':
    'builds concurrently on chunks: events.a',
  '-- no-transaction\n-- on chunks\ncreate index a on events (name)': 'builds an index: events.a',
  '-- no-transaction\n-- on chunks\ncreate index a on events (name) with (timescaledb.transaction_per_chunk)':
    'cannot be repeated: events.a',
  '-- no-transaction\ncreate index a on traces (name) with (timescaledb.transaction_per_chunk)':
    'builds an index: traces.a',
}

for (const [sql, fault] of Object.entries(taken))
  test(`found: ${sql.replaceAll(/\s+/g, ' ')}`, (t) => {
    t.true(
      judge({ version: 12, text: sql }, []).includes(`${fault}, without a floor`),
      judge({ version: 12, text: sql }, []).join('; '),
    )
    // It may remove what was retired up to its floor; not what was retired later or never.
    const object = fault.slice(fault.indexOf(': ') + 2)
    const contract = { version: 12, text: `-- Takes it.\n-- min-schema: 10\n${sql}` }
    const retiring = (version: number) => ({ version, text: `-- retires: other, ${object} (for a reason)\nselect 1` })
    const isRefused = (file: MigrationFile, all: readonly MigrationFile[]): boolean =>
      judge(file, all).some((one) => one.startsWith(`${fault}, which nobody has retired`))
    t.false(isRefused(contract, [retiring(10)]))
    t.true(isRefused(contract, [retiring(11)]))
    t.true(isRefused(contract, []))
  })

for (const [sql, fault] of Object.entries(blocking))
  test(`found: ${sql.replaceAll(/\s+/g, ' ')}`, (t) => {
    const faults = judge({ version: 12, text: sql }, [])
    t.true(faults.includes(fault), faults.join('; '))
  })

test('additions are allowed, and so is any change of tables that the same file creates', (t) => {
  const text = `-- All that a release may do.
create table notes (id uuid not null, name text);
create index notes_by_name on notes (name);
alter table notes alter column name set not null, add constraint c check (name <> '');
alter table events add column note text, add column weight double precision default 1, add at timestamptz not null default now();
alter table events add column if not exists mood text not null default 'drop table, add note text not null';
comment on column events.note is 'drop column note; truncate';
insert into cluster_meta (partition_count) values (1) on conflict do nothing;
create or replace function f() returns integer language plpgsql as $$ begin delete from notes; update traces set name = ''; end $$;
create view seen as select id from notes;
drop trigger if exists told on notes;
create trigger told after update on notes for each statement execute function f();
alter table events set (autovacuum_vacuum_scale_factor = 0.1);
do $$ begin perform f(); end $$;`
  t.deepEqual(judge({ version: 12, text }, []), [])
  const concurrent =
    '-- no-transaction\ndrop index concurrently if exists a;\ncreate index concurrently a on traces (name);'
  t.deepEqual(judge({ version: 12, text: concurrent }, []), [])
})

test('an unnecessary min-schema, and one that excludes every release, are detected', (t) => {
  t.deepEqual(judge({ version: 12, text: '-- min-schema: 3\nselect 1' }, []), ['a floor, and nothing is taken away'])
  const retired = [{ version: 12, text: '-- retires: agents' }]
  t.true(
    judge({ version: 12, text: '-- min-schema: 12\ndrop table agents' }, retired).includes('its floor is not below it'),
  )
})
