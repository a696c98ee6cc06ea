// Programs that npm does not have, from packages of the Debian that runs the tests, unpacked once below .cache. Installs nothing.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../.cache/debian/', import.meta.url))
const configuration = join(cache, 'apt.conf')
const deadlineMs = 120_000

/** The folder that the packages were unpacked into; takes some seconds the first time. Throws a sentence that says what is missing. */
export function unpackPackages(name: string, listPackages: () => readonly string[]): string {
  const folder = join(cache, name)
  if (existsSync(folder)) return folder
  // Under a name of its own until it is whole: test files run side by side, and a run may be killed.
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

/** The first of several test files has its folder there; the others use that one. */
function putInPlace(part: string, folder: string): void {
  try {
    renameSync(part, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

/** A mirror drops a package when a newer one is there: what this machine's apt has read some weeks ago may name none that is left. */
function download(folder: string, listPackages: () => readonly string[]): void {
  try {
    run('apt-get', ['download', ...listPackages()], folder)
  } catch {
    updateLists()
    run('apt-get', ['download', ...listPackages()], folder)
  }
}

/** From now on apt reads lists of our own, which are those of today; the machine keeps its own. */
function updateLists(): void {
  const lists = join(cache, 'lists')
  mkdirSync(join(lists, 'partial'), { recursive: true })
  writeFileSync(configuration, `Dir::State::Lists "${lists}";\nDir::Cache "${lists}/cache";\n`)
  mkdirSync(join(lists, 'cache/archives/partial'), { recursive: true })
  run('apt-get', ['update'], cache)
}

/** The packages and what they depend on, without what this machine has. */
export function listWithMissing(...names: readonly string[]): string[] {
  const plan = run('apt-get', ['install', '--simulate', '--no-install-recommends', ...names], '/')
  return [...plan.matchAll(/^Inst (\S+)/gm)].map(([, one]) => one ?? '')
}

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
