// The scripts for a backup and for its restore, run with stubs of PostgreSQL's programs that fail where the real ones may.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))

/** The first session exports a snapshot and waits; the second one counts rows. */
const psql = `
read -r first; read -r second
case "$second" in
  *pg_export_snapshot*) echo snapshot-1; cat > /dev/null ;;
  *) [ -z "$NO_TABLES" ] || exit 0; printf 'users|'; [ -z "$COUNT_FAILS" ] || { echo 'the connection was lost' >&2; exit 2; }; echo 1 ;;
esac`
const pgDump = 'echo "$DUMP"'

function prepare(t: ExecutionContext) {
  const folder = mkdtempSync(join(tmpdir(), 'backup-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const write = (name: string, script: string): string => {
    writeFileSync(join(folder, name), script)
    return `sh ${join(folder, name)}`
  }
  const run = (script: string, env: Readonly<Record<string, string>>) =>
    spawnSync('sh', [join(deploy, script), join(folder, 'made')], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], DATABASE_URL: 'postgres://nowhere', ...env },
    })
  const read = (): Record<string, string> =>
    Object.fromEntries(
      readdirSync(join(folder, 'made')).map((name) => [name, readFileSync(join(folder, 'made', name), 'utf8')]),
    )
  return { write, run, read }
}

test('a backup that fails at the end does not change the existing backup in its folder', (t) => {
  const { write, run, read } = prepare(t)
  const programs = { PSQL: write('psql', psql), PG_DUMP: write('pg_dump', pgDump) }
  t.is(run('backup.sh', { ...programs, DUMP: 'first', COUNT_FAILS: '' }).status, 0)
  const first = read()
  t.deepEqual(Object.keys(first).sort(), ['database.dump', 'database.dump.sha256', 'rows'])
  const second = run('backup.sh', { ...programs, DUMP: 'second', COUNT_FAILS: 'yes' })
  t.not(second.status, 0)
  t.regex(second.stderr, /the connection was lost/)
  t.like(read(), first)
  t.is(run('backup.sh', { ...programs, DUMP: 'third', COUNT_FAILS: '' }).status, 0)
  t.is(read()['database.dump'], 'third\n')
  t.deepEqual(Object.keys(read()).sort(), Object.keys(first).sort(), 'nothing is left of the one that failed')
})

test('a backup fails if its session cannot be opened', (t) => {
  const { write, run } = prepare(t)
  const programs = { PSQL: write('psql', 'echo "password authentication failed" >&2; exit 2'), PG_DUMP: 'false' }
  const { status, stderr } = run('backup.sh', programs)
  t.not(status, 0)
  t.regex(stderr, /password authentication failed/)
})

test('a backup in which no table was counted fails: nothing would be compared after its restore', (t) => {
  const { write, run } = prepare(t)
  const programs = { PSQL: write('psql', psql), PG_DUMP: write('pg_dump', pgDump) }
  const { status, stderr } = run('backup.sh', { ...programs, DUMP: 'first', NO_TABLES: 'yes' })
  t.is(status, 1)
  t.is(stderr, 'the database contains no tables\n')
})

test('a restore refuses a database that holds a table, whatever its schema', (t) => {
  const { write, run } = prepare(t)
  // The query returns a statement for each table, which psql would run next if the script had not removed that from its end.
  const list = `
case "$*" in *"'public'"*) echo 0; exit ;; esac
if grep -q gexec; then echo 'tw.events|3'; else echo 'select count(*) from tw.events'; fi`
  const { status, stderr } = run('restore.sh', { PSQL: write('psql', list), PG_RESTORE: 'false' })
  t.is(status, 1)
  t.is(stderr, 'the database is not empty\n')
})

test('a restore says why it cannot create the extension that the backup needs', (t) => {
  const { write, run } = prepare(t)
  const programs = { PSQL: write('psql', psql), PG_DUMP: write('pg_dump', pgDump) }
  t.is(run('backup.sh', { ...programs, DUMP: 'first', COUNT_FAILS: '' }).status, 0)
  const restorePsql = `
case "$*" in
  *'create extension'*) echo 'WARNING: welcome' >&2; echo 'ERROR: permission denied to create extension' >&2; exit 1 ;;
esac`
  const { status, stderr } = run('restore.sh', {
    PSQL: write('psql', restorePsql),
    PG_RESTORE: write('pg_restore', "echo '2; 3079 16385 EXTENSION - timescaledb '"),
  })
  t.not(status, 0)
  t.regex(stderr, /permission denied to create extension/)
})
