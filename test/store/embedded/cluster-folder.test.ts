// Where the cluster is and whether there is one: a start that is wrong about it would create another beside or over the data.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { hasCluster, locateCluster, readOwner } from '../../../src/store/embedded/cluster-folder.ts'
import { startEmbeddedPostgres } from '../../../src/store/embedded/server.ts'
import { makeDataDir, memoryInFolder } from '../../_kit/data-dir.ts'

const source = JSON.stringify(new URL('../../../src/store/embedded/cluster-folder.ts', import.meta.url).href)
const isRoot = process.getuid?.() === 0

/** Returns a data directory, and a folder elsewhere to which its `postgres` is a link. */
function makeLinked(t: ExecutionContext): { dataDir: string; link: string; target: string } {
  const [dataDir, disk] = [makeDataDir(t), makeDataDir(t)]
  const [link, target] = [join(dataDir, 'postgres'), join(disk, 'cluster')]
  mkdirSync(target)
  symlinkSync(target, link)
  return { dataDir, link, target: realpathSync(target) }
}

test('a folder that is missing or empty holds no cluster, and one with other files is refused', (t) => {
  const folder = join(makeDataDir(t), 'postgres')
  t.false(hasCluster(folder))
  mkdirSync(folder)
  t.false(hasCluster(folder))
  t.is(readOwner(folder), null)
  writeFileSync(join(folder, 'postgresql.conf'), '')
  t.throws(() => hasCluster(folder), {
    message: `${folder} holds files, but no PG_VERSION of PostgreSQL: restore it, move the files away, or set TRACEWRIGHT_DATA_DIR to another directory`,
  })
  writeFileSync(join(folder, 'PG_VERSION'), '18\n')
  t.true(hasCluster(folder))
  rmSync(folder, { recursive: true })
  writeFileSync(folder, '')
  t.throws(() => hasCluster(folder), { message: /cannot be read \(ENOTDIR\): make it a folder that can be read, or/ })
})

test('a cluster that this user cannot look into is not taken for none', (t) => {
  const folder = join(makeDataDir(t), 'postgres')
  mkdirSync(folder)
  writeFileSync(join(folder, 'PG_VERSION'), '18\n')
  chmodSync(folder, 0)
  t.teardown(() => chmodSync(folder, 0o700))
  const program = `import { hasCluster } from ${source}
    if (process.getuid() === 0) process.setuid(65534)
    try { console.log(hasCluster(process.argv[1])) } catch (error) { console.log(error.message) }`
  const { stdout } = spawnSync('node', ['--input-type=module', '-e', program, folder], { encoding: 'utf8' })
  t.is(
    stdout,
    `the data of PostgreSQL in ${folder} cannot be read (EACCES): start the service as the user who owns it, or set TRACEWRIGHT_DATA_DIR to another directory\n`,
  )
})

test('a link is resolved, and refused if its target is missing', async (t) => {
  const { dataDir, link, target } = makeLinked(t)
  t.is(locateCluster(dataDir), target)
  rmSync(target, { recursive: true })
  const message = `${link} is a link whose target cannot be read (ENOENT): restore it, or set TRACEWRIGHT_DATA_DIR to another directory`
  await t.throwsAsync(startEmbeddedPostgres({ dataDir, onLine: () => undefined }), { message })
  t.deepEqual(readdirSync(dataDir), ['postgres'], 'no cluster was created beside it')
  rmSync(link)
  t.is(locateCluster(dataDir), link, 'the control: there is nothing')
})

if (isRoot)
  test('as root, the owner of the target of a link counts; a link of another user is not followed', (t) => {
    const { dataDir, link, target } = makeLinked(t)
    writeFileSync(join(target, 'PG_VERSION'), '18\n')
    chownSync(target, 54_321, 54_322)
    t.deepEqual(readOwner(locateCluster(dataDir)), { uid: 54_321, gid: 54_322 })
    lchownSync(link, 54_321, 54_322)
    t.deepEqual(readOwner(locateCluster(dataDir)), { uid: 54_321, gid: 54_322 })
    rmSync(join(target, 'PG_VERSION'))
    t.throws(() => locateCluster(dataDir), { message: /to a folder of user 54321: if it is right/ })
    chownSync(target, 0, 0)
    t.throws(() => locateCluster(dataDir), {
      message: `${link} is a link of user 54321 to a folder of user 0: if it is right, run chown -h root ${link}, or set TRACEWRIGHT_DATA_DIR to another directory`,
    })
  })

test('a server runs on the target of a link, also where its first start creates the data, and changes nothing beside it', async (t) => {
  const { dataDir, target } = makeLinked(t)
  const { ino } = statSync(target)
  const copies = [`${target}.new-2026`, `${target}.new-20261128`, join(dataDir, 'postgres.new-20261128')]
  const killed = join(dataDir, 'postgres.new-0123456789abcdef')
  for (const path of [...copies, killed]) mkdirSync(path)
  writeFileSync(`${killed}.pw`, '')
  const options = { dataDir, settings: ['fsync=off', memoryInFolder], onLine: () => undefined }
  const server = await startEmbeddedPostgres(options)
  t.true(hasCluster(target))
  t.is(statSync(target).ino, ino)
  t.deepEqual(copies.filter(existsSync), copies)
  t.deepEqual([killed, `${killed}.pw`].filter(existsSync), [], 'the control: what a killed start left is removed')
  const found = await startEmbeddedPostgres(options)
  t.is(found.pid, server.pid)
  await server.stop()
  // As where its disk is unmounted while the server does not run.
  for (const name of readdirSync(target)) rmSync(join(target, name), { recursive: true })
  await t.throwsAsync(server.startAgain(new AbortController().signal), {
    message: `${target} holds no data of PostgreSQL any more: restore it before the service starts again, which would create new data`,
  })
  t.deepEqual(readdirSync(target), [])
})
