// Buildah and podman for the tests: those on the PATH, otherwise Debian's packages, unpacked below .cache.
// Needs root, but no daemon and no cgroup.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCacheFolder } from './data-dir.ts'
import { listWithMissing, unpackPackages } from './debian-program.ts'

export type Program = 'buildah' | 'podman'
export type Result = { readonly code: number; readonly stdout: string; readonly stderr: string }

export type Engine = {
  /** Runs a command of the program to its end. */
  run(program: Program, ...args: readonly string[]): Promise<Result>
  /** As `run`, but returns the output. Throws an error with the end of the output where the command fails. */
  must(program: Program, ...args: readonly string[]): Promise<string>
  start(program: Program, ...args: readonly string[]): ChildProcess
  /** Converts a path that a command printed to one that this process can use: the engine's mounts are in its own namespace. */
  outside(path: string): string
  /** Returns `status` or `mountinfo` of the first process whose command line begins with `command`. */
  readProcess(command: string, file: 'mountinfo' | 'status'): string
  /** Ends every process that the engine started. */
  stop(): Promise<void>
}

type Installation = {
  /** Folder of the unpacked packages; null where the programs are installed. */
  readonly folder: string | null
}

type Storage = { readonly driver: string; readonly graphroot: string; readonly runroot: string }

const programs = ['buildah', 'podman', 'crun'] as const
// Without a cache, a build installs the packages twice: for the service and for the build of its page.
const longestBuildMs = 900_000
const keptBytes = 16 << 20

// Only one engine at a time uses the store. All mounts and processes are in namespaces that end with the runner. The loader finds unpacked
// libraries by its own cache, since programs that the engine starts do not inherit LD_LIBRARY_PATH. Crun refuses a machine with cgroups of
// both versions, and no container of the tests needs one. The script prints the driver of the store, overlay or vfs.
const session = `set -e
if [ -n "$1" ]; then mount --bind "$1" /etc/ld.so.cache; fi
if mountpoint -q /sys/fs/cgroup/unified; then umount /sys/fs/cgroup/unified; fi
try=$2/try
mkdir -p "$try/lower" "$try/upper" "$try/work" "$try/all"
if mount -t overlay -o "lowerdir=$try/lower,upperdir=$try/upper,workdir=$try/work" overlay "$try/all"; then umount "$try/all"; echo overlay
else echo vfs; fi
read -r line`

/** Resolves when the engine is ready. Throws an error that says how to install one. */
export async function openEngine(): Promise<Engine> {
  try {
    if (process.getuid?.() !== 0) throw new Error('namespaces and mounts need root')
    return await openSession(findPrograms())
  } catch (error) {
    throw new Error(
      `There is no container engine for the tests (${(error as Error).message}): run them as root with buildah, podman and crun on the ` +
        'PATH, or on a Debian whose apt can download these packages (after `apt-get update`)',
      { cause: error },
    )
  }
}

function findPrograms(): Installation {
  if (programs.every((program) => spawnSync(program, ['--version']).status === 0)) return { folder: null }
  return { folder: unpackPackages('containers', () => listWithMissing(...programs)) }
}

async function openSession({ folder }: Installation): Promise<Engine> {
  const state = mkdtempSync(join(tmpdir(), 'containers-'))
  const store = join(makeCacheFolder(), 'containers')
  mkdirSync(store, { recursive: true })
  const unshare = ['unshare', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--propagation', 'private']
  const holder = spawn(
    'setpriv',
    [
      '--pdeathsig=KILL',
      ...unshare,
      'flock',
      '--no-fork',
      store,
      'sh',
      '-c',
      session,
      'sh',
      writeLoaderCache(folder),
      store,
    ],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  )
  const ended = once(holder, 'exit')
  const stop = async (): Promise<void> => {
    holder.kill('SIGKILL')
    await ended
    // Processes may still be ending.
    rmSync(state, { recursive: true, force: true, maxRetries: 10 })
  }
  let complaint = ''
  holder.stderr.on('data', (data: Buffer) => (complaint += data.toString()))
  const driver = await Promise.race([once(holder.stdout, 'data').then(String), ended.then(() => null)])
  if (driver === null) {
    await stop()
    throw new Error(complaint.trim())
  }
  const storage = { driver: driver.trim(), graphroot: join(store, driver.trim()), runroot: join(state, 'run') }
  const env = writeSettings(folder, state, storage)
  const own = readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8').trim()
  const namespaces = ['--target', own, '--mount', '--pid']
  const describe = (program: Program, args: readonly string[]): string[] => [
    ...namespaces,
    folder === null ? program : join(folder, 'usr/bin', program),
    ...(program === 'podman' ? ['--tmpdir', join(state, 'podman')] : []),
    ...args,
  ]
  const run = async (program: Program, ...args: readonly string[]): Promise<Result> =>
    await new Promise((done, fail) => {
      const options = { env, timeout: longestBuildMs, maxBuffer: keptBytes }
      execFile('nsenter', describe(program, args), options, (error, stdout, stderr) => {
        if (error !== null && typeof error.code !== 'number') fail(error)
        else done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr })
      })
    })
  return {
    run,
    async must(program, ...args) {
      const { code, stdout, stderr } = await run(program, ...args)
      if (code !== 0) throw new Error(`${program} ${args[0]} failed: ${`${stdout}\n${stderr}`.trim().slice(-2_000)}`)
      return stdout.trim()
    },
    start: (program, ...args) => spawn('nsenter', describe(program, args), { env, stdio: ['ignore', 'pipe', 'pipe'] }),
    outside: (path) => join('/proc', own, 'root', path),
    readProcess: (command, file) => {
      const folders = globSync('[0-9]*/cmdline', { cwd: `/proc/${own}/root/proc` })
      const found = folders.find((one) => readCommand(`/proc/${own}/root/proc/${one}`).startsWith(command))
      if (found === undefined) throw new Error(`no process of the engine runs ${command}`)
      return readFileSync(`/proc/${own}/root/proc/${found.replace('cmdline', file)}`, 'utf8')
    },
    stop,
  }
}

function readCommand(file: string): string {
  try {
    return readFileSync(file, 'utf8').replaceAll('\0', ' ')
  } catch {
    // The process has just ended.
    return ''
  }
}

/** Returns the path of the loader's cache; '' where the cache of the system suffices. */
function writeLoaderCache(folder: string | null): string {
  if (folder === null) return ''
  const file = join(folder, 'ld.so.cache')
  const { status, stderr } = spawnSync('ldconfig', ['-X', '-C', file, ...globSync(join(folder, 'usr/lib/*-linux-gnu'))])
  if (status !== 0) throw new Error(`ldconfig failed: ${stderr?.toString().trim()}`)
  return file
}

/** Returns the environment of the programs: without the machine's own container configuration, registries and systemd. */
function writeSettings(folder: string | null, state: string, storage: Storage): Record<string, string> {
  const own = (path: string): string => (folder === null ? path : join(folder, path.slice(1)))
  const write = (name: string, lines: readonly string[]): string => {
    const file = join(state, name)
    writeFileSync(file, `${lines.join('\n')}\n`)
    return file
  }
  const seccomp = own('/usr/share/containers/seccomp.json')
  const policy = join(state, 'home/.config/containers/policy.json')
  mkdirSync(join(policy, '..'), { recursive: true })
  writeFileSync(policy, JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] }))
  return {
    PATH: `${folder === null ? '' : `${join(folder, 'usr/bin')}:`}/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
    HOME: join(state, 'home'),
    DISABLE_HC_SYSTEMD: 'true',
    CONTAINERS_REGISTRIES_CONF: write('registries.conf', ['unqualified-search-registries = []']),
    CONTAINERS_STORAGE_CONF: write('storage.conf', [
      '[storage]',
      ...Object.entries(storage).map(([name, value]) => `${name} = "${value}"`),
    ]),
    CONTAINERS_CONF: write('containers.conf', [
      '[containers]',
      ...(existsSync(seccomp) ? [`seccomp_profile = "${seccomp}"`] : []),
      '[engine]',
      `conmon_path = ["${own('/usr/bin/conmon')}"]`,
      'cgroup_manager = "cgroupfs"',
      'events_logger = "none"',
      'lock_type = "file"',
      'runtime = "crun"',
      '[engine.runtimes]',
      `crun = ["${own('/usr/bin/crun')}"]`,
    ]),
  }
}
