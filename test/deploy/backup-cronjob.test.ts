// The script of the chart's nightly backup, run with stubs of PostgreSQL's programs in a folder that represents the container.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { readRendered } from '../_kit/helm.ts'
import { findPod, readEnv } from '../_kit/helm-manifests.ts'

// helm-checklist.test.ts compares this with what helm renders.
const { container } = findPod(readRendered('default'), 'backup')

const dump = 'for one; do case "$one" in --file=*) echo dumped > "${one#--file=}" ;; esac; done'

function openContainer(t: ExecutionContext) {
  const root = mkdtempSync(join(tmpdir(), 'backup-pod-'))
  t.teardown(() => rmSync(root, { recursive: true, force: true }))
  for (const folder of ['etc/postgres', 'tmp', 'backup', 'bin']) mkdirSync(join(root, folder), { recursive: true })
  const install = (name: string, script: string): void => {
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(root, 'bin', name), 0o755)
  }
  install('pg_dump', dump)
  install('pg_restore', 'true')
  const script = (container.args?.[0] ?? '').replaceAll(/\/(?=(?:etc\/postgres|tmp|backup)\/)/g, `${root}/`)
  return {
    install,
    path: (name: string): string => join(root, name),
    run: () => spawnSync('sh', ['-euc', script], { encoding: 'utf8', env: { PATH: `${root}/bin:/usr/bin:/bin` } }),
  }
}

/** Returns the last field of the line as libpq parses it: a backslash escapes any character, and a colon ends the field. */
function readPassword(line: string): string | undefined {
  const fields = [...line.matchAll(/((?:\\[\s\S]|[^\\:])*)(?::|$)/g)].map(([, field = '']) => field)
  return fields[4]?.replaceAll(/\\([\s\S])/g, '$1')
}

for (const password of ['plain', 'a:b', 'back\\slash', ':\\:', "quote'$(x)`y`%s &/|"])
  test(`the password ${password} reaches PostgreSQL as it is`, (t) => {
    const { path, run } = openContainer(t)
    writeFileSync(path('etc/postgres/password'), password)
    t.is(run().stderr, '')
    t.is(readPassword(readFileSync(path('tmp/pgpass'), 'utf8')), password)
  })

test('the oldest dump makes room before the new one is written, on a volume that holds no more than are kept', (t) => {
  const { path, install, run } = openContainer(t)
  writeFileSync(path('etc/postgres/password'), 'plain')
  const old = Array.from({ length: 7 }, (_, day) => `tracewright-2026010${day}T021700Z.dump`)
  for (const name of old) writeFileSync(path(`backup/${name}`), '')
  install('pg_dump', `[ "$(ls ${path('backup')} | wc -l)" -lt 7 ] || exit 1\n${dump}`)
  t.is(run().stderr, '')
  t.is(readdirSync(path('backup')).length, 7)
  t.false(existsSync(path(`backup/${old[0]}`)))
  // Dumps that fail take no more than the one.
  install('pg_dump', 'exit 1')
  for (const status of [1, 1, 1]) t.is(run().status, status)
  t.is(readdirSync(path('backup')).length, 6)
})

test('the newest dumps are kept, and unfinished ones are not', (t) => {
  const { path, run } = openContainer(t)
  writeFileSync(path('etc/postgres/password'), 'plain')
  const old = Array.from({ length: 9 }, (_, day) => `tracewright-2026010${day}T021700Z.dump`)
  for (const name of [...old, 'tracewright-20260109T021700Z.dump.part', 'mine.dump'])
    writeFileSync(path(`backup/${name}`), '')
  t.is(run().status, 0)
  const left = readdirSync(path('backup')).sort()
  t.deepEqual(left.slice(0, -1), ['mine.dump', ...old.slice(-6)])
  t.regex(left.at(-1) ?? '', /^tracewright-\d{8}T\d{6}Z\.dump$/)
})

test('the restore of the page on backups finds what it replaces and reads in the pod of the backup', (t) => {
  const page = readFileSync(new URL('../../deploy/docs/backup.md', import.meta.url), 'utf8')
  const [, patch = ''] = /--type=json -p '(\[.*?\])'/s.exec(page) ?? []
  const paths = (JSON.parse(patch) as { op: string; path: string }[]).map(({ op, path }) => `${op} ${path}`)
  const first = '/spec/template/spec/containers/0'
  t.deepEqual(paths, [`replace ${first}/command`, `replace ${first}/args`])
  t.truthy(container.command)
  t.truthy(container.args)
  t.deepEqual(container.volumeMounts?.map(({ mountPath }) => mountPath).sort(), ['/backup', '/etc/postgres', '/tmp'])
  t.like(readEnv(container), { PGUSER: 'tracewright', PGDATABASE: 'tracewright' })
})
