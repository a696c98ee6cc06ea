// Programs that npm does not provide, from packages of the machine's Debian, unpacked once below .cache. Installs nothing.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../.cache/debian/', import.meta.url))
const configuration = join(cache, 'apt.conf')
/** Includes the wait for other test files. */
const deadlineMs = 300_000
/** Held while apt runs: apt fails if another one updates the same lists. */
const lock = join(cache, 'apt.lock')

/** Returns the folder with the unpacked packages; takes some seconds the first time. Throws an error that says what is missing. */
export function unpackPackages(name: string, listPackages: () => readonly string[]): string {
  const folder = join(cache, name)
  if (existsSync(folder)) return folder
  // The folder has a temporary name until it is complete: test files run in parallel, and a run may be killed.
  const part = `${folder}.part-${process.pid}`
  mkdirSync(part, { recursive: true })
  try {
    download(part, listPackages)
    for (const file of globSync('*.deb', { cwd: part })) {
      run('dpkg-deb', ['--extract', file, '.'], part)
      rmSync(join(part, file))
    }
    putInPlace(part, folder)
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
  return folder
}

/** Renames a complete folder. If several processes make the same folder, that of the first stays, and the others use it. */
export function putInPlace(part: string, folder: string): void {
  try {
    renameSync(part, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

/** A mirror removes a package when a newer one is available, so package lists that are some weeks old may name only missing packages. */
function download(folder: string, listPackages: () => readonly string[]): void {
  try {
    runApt(['download', ...listPackages()], folder)
  } catch {
    updateLists()
    runApt(['download', ...listPackages()], folder)
  }
}

/** Downloads current package lists, which apt reads from now on; the machine's own lists are not changed. */
function updateLists(): void {
  const lists = join(cache, 'lists')
  mkdirSync(join(lists, 'partial'), { recursive: true })
  writeFileSync(configuration, `Dir::State::Lists "${lists}";\nDir::Cache "${lists}/cache";\n`)
  mkdirSync(join(lists, 'cache/archives/partial'), { recursive: true })
  runApt(['update'], cache)
}

/** Returns the packages and their dependencies, except those that are installed. */
export function listWithMissing(...names: readonly string[]): string[] {
  const plan = runApt(['install', '--simulate', '--no-install-recommends', ...names], '/')
  return [...plan.matchAll(/^Inst (\S+)/gm)].map(([, one]) => one ?? '')
}

/** Machines for containers keep no cache of the package lists, and apt takes seconds to read them. */
const keepCache = ['pkgcache', 'srcpkgcache'].flatMap((name) => ['-o', `Dir::Cache::${name}=${join(cache, name)}`])

const runApt = (args: readonly string[], cwd: string): string =>
  run('flock', [lock, 'apt-get', ...keepCache, ...args], cwd)

function run(command: string, args: readonly string[], cwd: string): string {
  const env = existsSync(configuration) ? { ...process.env, APT_CONFIG: configuration } : process.env
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    timeout: deadlineMs,
  })
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr.trim().split('\n').at(-1)}`)
  return stdout
}
