// As root: PostgreSQL can access folders that are closed to its user, with the fewest privileges needed.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { readOwner } from '../../../src/store/embedded/cluster-folder.ts'
import { chooseServerUser, giveCluster, runAs } from '../../../src/store/embedded/server-user.ts'

/** Only root can choose another user. */
const asRoot = (title: string, run: (t: ExecutionContext) => void): void =>
  test(title, (t) => {
    if (process.getuid?.() === 0) run(t)
    else t.is(chooseServerUser([folder]).ids, null)
  })
const module = fileURLToPath(new URL('../../../src/store/embedded/server-user.ts', import.meta.url))

const home = mkdtempSync(join(tmpdir(), 'home-'))
const folder = join(home, 'data')
mkdirSync(folder, { mode: 0o755 })
test.after.always(() => rmSync(home, { recursive: true, force: true }))

test('an ordinary user runs PostgreSQL under its own name', (t) => {
  const itself = runAs({ ids: null, capability: null }, 'postgres', ['-D', folder])
  t.deepEqual(itself, { command: 'postgres', args: ['-D', folder], ids: {} })
})

asRoot('a folder that others can enter takes no capability, one in a closed home takes the right to pass it', (t) => {
  chmodSync(home, 0o755)
  t.is(chooseServerUser([folder]).capability, null)
  chmodSync(home, 0o700)
  const user = chooseServerUser([folder])
  t.is(user.capability, 'dac_read_search')
  t.not(user.ids?.uid ?? 0, 0)
})

asRoot('an existing cluster keeps its owner, and one that root has copied is given to the user of the server', (t) => {
  chmodSync(home, 0o755)
  const cluster = join(home, 'cluster')
  const outside = join(home, 'outside')
  t.is(readOwner(cluster), null)
  mkdirSync(join(cluster, 'base'), { recursive: true })
  for (const path of [join(cluster, 'PG_VERSION'), join(cluster, 'base/1'), outside]) writeFileSync(path, '')
  symlinkSync(outside, join(cluster, 'base/link'))
  t.deepEqual(readOwner(cluster), { uid: 0, gid: 0 })
  const user = chooseServerUser([folder], readOwner(cluster))
  t.deepEqual(user, chooseServerUser([folder]), 'root cannot run it, so its owner does not count')

  const owner = { uid: 54_321, gid: 54_322 }
  giveCluster(cluster, { ids: owner, capability: null })
  for (const path of [
    cluster,
    join(cluster, 'PG_VERSION'),
    join(cluster, 'base'),
    join(cluster, 'base/1'),
    join(cluster, 'base/link'),
  ])
    t.like(lstatSync(path), owner, path)
  t.is(statSync(outside).uid, 0, 'a link is not followed')
  t.deepEqual(chooseServerUser([folder], readOwner(cluster)), { ids: owner, capability: null })
  giveCluster(cluster, user)
  t.is(statSync(cluster).uid, owner.uid, 'the cluster of another user is left alone')
})

asRoot('with that capability it reads below the closed home and writes what is its own, and nothing else', (t) => {
  chmodSync(home, 0o700)
  const user = chooseServerUser([folder])
  const own = join(folder, 'own')
  mkdirSync(own, { mode: 0o700 })
  chownSync(own, user.ids?.uid ?? 0, user.ids?.gid ?? 0)
  writeFileSync(join(folder, 'foreign'), 'unchanged', { mode: 0o644 })
  const attempt = (script: string): string => {
    const { command, args, ids } = runAs(user, '/bin/sh', ['-c', script, 'sh', folder])
    const { stdout, stderr } = spawnSync(command, args, { ...ids, encoding: 'utf8' })
    return (stdout + stderr).trim()
  }
  t.is(attempt('cat "$1/foreign"'), 'unchanged')
  t.is(attempt('echo written > "$1/own/file" && cat "$1/own/file"'), 'written')
  t.regex(attempt('echo written > "$1/foreign"'), /Permission denied/)
  t.regex(attempt('echo written > "$1/new"'), /Permission denied/)
  t.is(attempt('id -u; sed -n "s/^CapEff:\t//p" /proc/self/status'), `${user.ids?.uid}\n0000000000000004`)
})

/** Returns the choice of a root without these capabilities, as in a container. */
function chooseWithout(...capabilities: string[]): { stdout: string; stderr: string } {
  const lost = capabilities.map((name) => `-${name}`).join(',')
  const script = `import(${JSON.stringify(module)}).then((m) => console.log(m.chooseServerUser([${JSON.stringify(folder)}]).capability))`
  return spawnSync('setpriv', [`--bounding-set=${lost}`, process.execPath, '-e', script], { encoding: 'utf8' })
}

asRoot(
  'root of a container, who cannot give it, gives the right to write; without that too it says what to do',
  (t) => {
    chmodSync(home, 0o700)
    t.is(chooseWithout('dac_read_search').stdout, 'dac_override\n')
    const { stdout, stderr } = chooseWithout('dac_read_search', 'dac_override')
    t.is(stdout, '')
    t.regex(stderr, /postgres and nobody cannot reach .*: start the service as an ordinary user, move it to a folder/)
  },
)
