// A Debian trixie in .cache/trixie, made once by debootstrap, with servers that npm does not provide.
// They run in a chroot, which needs root.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { putInPlace } from './debian-program.ts'

const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))
const packages = ['postgresql-17', 'postgresql-17-timescaledb', 'nats-server']
const buildDeadlineMs = 10 * 60_000

/** Returns the root's path; takes about a minute the first time. Throws an error that says what is missing. */
export async function prepareTrixie(): Promise<string> {
  if (process.getuid?.() !== 0) throw new Error('a Debian root by debootstrap and chroot needs root')
  const root = join(cache, 'trixie')
  if (existsSync(root)) return root
  await findDebootstrap()
  process.stdout.write('making .cache/trixie by debootstrap, once: about a minute\n')
  mkdirSync(cache, { recursive: true, mode: 0o755 })
  try {
    await makeRoot(root, 1)
  } catch {
    // A download may have failed.
    await makeRoot(root, 2)
  }
  return root
}

async function makeRoot(root: string, nth: number): Promise<void> {
  // The folder has a temporary name until it is complete, so that neither a killed run nor a parallel one leaves half a root.
  const part = join(cache, `trixie.part-${process.pid}-${nth}`)
  const flags = ['--variant=minbase', `--include=${packages.join(',')}`, 'trixie', part]
  try {
    await run('debootstrap', [...flags, ...readMirror()])
    rmSync(join(part, 'var/cache/apt'), { recursive: true })
    putInPlace(part, root)
  } finally {
    if (!readFileSync('/proc/mounts', 'utf8').includes(part)) rmSync(part, { recursive: true, force: true })
  }
}

/** Returns the folders, files and links of these packages of the root, each once and without the leading slash. */
export function listPackageFiles(root: string, names: readonly string[]): string[] {
  const info = join(root, 'var/lib/dpkg/info')
  const lists = readdirSync(info)
  const paths = names.flatMap((name) => {
    // For a multi-architecture package, the name of the file contains the architecture.
    const list = lists.find((file) => /^([^:]+)(?::\w+)?\.list$/.exec(file)?.[1] === name)
    if (list === undefined) throw new Error(`${root} has no package ${name}: remove it, and the next run makes it anew`)
    return readFileSync(join(info, list), 'utf8').split('\n')
  })
  return [...new Set(paths)].filter((path) => path.length > 2).map((path) => path.slice(1))
}

async function findDebootstrap(): Promise<void> {
  if (spawnSync('debootstrap', ['--version']).status === 0) return
  // A machine that was just started may be installing updates.
  const waits = ['-o', 'DPkg::Lock::Timeout=300']
  const install = ['install', '-y', '-q', '--no-install-recommends', ...waits, 'debootstrap']
  try {
    await run('apt-get', install)
  } catch {
    // A new machine has no package lists, or those of a package that the mirror has replaced.
    await run('apt-get', ['update', '-q'])
    await run('apt-get', install)
  }
}

/** Returns the Debian mirror that apt uses on this machine; empty for debootstrap's default. */
function readMirror(): string[] {
  const folder = '/etc/apt/sources.list.d'
  const files = [
    '/etc/apt/sources.list',
    ...(existsSync(folder) ? readdirSync(folder).map((f) => join(folder, f)) : []),
  ]
  const text = files
    .filter((file) => /\.(list|sources)$/.test(file) && existsSync(file))
    .map((file) => readFileSync(file, 'utf8').replaceAll(/^\s*#.*$/gm, ''))
    .join('\n')
  const mirror = /\bhttps?:\/\/\S+\/debian\/?(?=\s)/.exec(`${text}\n`)
  return mirror === null ? [] : [mirror[0]]
}

/** The longest lane of the tests waits for it, while others use the cores. */
const prefer = (pid: number): void => {
  try {
    setPriority(pid, -5)
  } catch {
    // A container may forbid it: it then takes longer.
  }
}

async function run(command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: buildDeadlineMs })
  if (child.pid !== undefined) prefer(child.pid)
  let output = ''
  const keep = (data: Buffer): void => {
    output = (output + data.toString()).slice(-1_000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const code = await new Promise<number | null>((done, fail) => child.once('close', done).once('error', fail))
  if (code !== 0) throw new Error(`${command} failed: ${output.trim().split('\n').slice(-3).join(' / ')}`)
}
