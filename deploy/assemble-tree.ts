// Floor 4. Performs a Dockerfile without an engine: each stage becomes a folder, each RUN runs there by chroot as the user that it names.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { matchIgnore } from './assemble-ignore.ts'
import { findLast, readPairs, type Stage, type Step } from './assemble-steps.ts'

export type Image = {
  /** Folder that holds what the image would. */
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  /** `uid:gid` */
  readonly user: string
  readonly entrypoint: readonly string[]
  readonly healthcheck: readonly string[]
  readonly labels: Readonly<Record<string, string>>
}

export type Assembly = {
  readonly stages: readonly Stage[]
  /** Folder that the Dockerfile copies from. */
  readonly context: string
  readonly ignore: string
  /** Empty folder for the stages. */
  readonly out: string
  readonly onStep: (line: string) => void
}

const runDeadlineMs = 180_000
// This machine's way to its packages; an engine has its own.
const waysOut = /^(npm_config_registry|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i

/** Gives the image of the last stage. Needs root. Throws where a step fails, with what it wrote. */
export function assembleTree({ stages, context, ignore, out, onStep }: Assembly): Image {
  const isIgnored = matchIgnore(ignore)
  const roots = new Map<string, string>()
  const last = stages.at(-1)
  if (last === undefined) throw new Error('the Dockerfile has no stage')
  for (const stage of stages) {
    const root = join(out, stage.name === '' ? 'image' : stage.name)
    mkdirSync(root, { recursive: true, mode: 0o755 })
    roots.set(stage.name, root)
    onStep(`FROM ${stage.base}`)
    prepareBase(stage.base, root)
    const state = { cwd: '/', user: '0:0', env: {} as Record<string, string> }
    for (const step of stage.steps) {
      onStep(`${step.word} ${step.rest}`)
      if (step.word === 'WORKDIR') {
        state.cwd = step.rest
        mkdirSync(join(root, step.rest), { recursive: true })
      } else if (step.word === 'ENV') Object.assign(state.env, readPairs(step.rest))
      else if (step.word === 'USER') state.user = step.rest
      else if (step.word === 'COPY') copy(step, roots, root, state.cwd, context, isIgnored)
      else if (step.word === 'RUN') run(step, root, state)
    }
  }
  const read = (word: 'ENTRYPOINT' | 'HEALTHCHECK'): readonly string[] => {
    const exec = findLast(last, word)?.exec
    if (exec === null || exec === undefined)
      throw new Error(`${word} must be given in the form ["a", "b"], because the image has no shell`)
    return exec
  }
  const all = (word: 'ENV' | 'LABEL'): Record<string, string> =>
    Object.assign({}, ...last.steps.filter((step) => step.word === word).map(({ rest }) => readPairs(rest)))
  return {
    root: roots.get(last.name) ?? '',
    env: all('ENV'),
    user: findLast(last, 'USER')?.rest ?? '0:0',
    entrypoint: read('ENTRYPOINT'),
    healthcheck: read('HEALTHCHECK'),
    labels: all('LABEL'),
  }
}

/** What stands in for the two images that we start from, since none can be pulled: this machine's system, and what node needs of it. */
function prepareBase(base: string, root: string): void {
  for (const folder of [
    'tmp',
    'proc',
    'dev',
    'etc',
    'run/secrets',
    'root',
    'usr/local/bin',
    'usr/local/lib/node_modules',
  ])
    mkdirSync(join(root, folder), { recursive: true })
  chmodSync(join(root, 'tmp'), 0o1777)
  if (/^(docker\.io\/library\/)?node[:@]/.test(base)) {
    copyFileSync(process.execPath, join(root, 'usr/local/bin/node'))
    const npm = realpathSync(join(dirname(readOutput('sh', ['-c', 'command -v npm'])), 'npm'))
    cpSync(join(dirname(npm), '..'), join(root, 'usr/local/lib/node_modules/npm'), {
      recursive: true,
      dereference: true,
    })
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))
    return
  }
  if (!/\/distroless\/cc-/.test(base)) throw new Error(`no stand-in is defined for the base image ${base}`)
  for (const [library] of readOutput('ldd', [process.execPath]).matchAll(/\/\S+(?= \()/g)) {
    mkdirSync(join(root, dirname(library)), { recursive: true })
    copyFileSync(realpathSync(library), join(root, library))
  }
  writeFileSync(
    join(root, 'etc/passwd'),
    'root:x:0:0::/root:/sbin/nologin\nnonroot:x:65532:65532::/home/nonroot:/sbin/nologin\n',
  )
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnonroot:x:65532:\n')
  // An engine fills these at the start.
  for (const file of ['etc/hosts', 'etc/resolv.conf']) writeFileSync(join(root, file), '')
}

function copy(
  { flags, rest }: Step,
  roots: ReadonlyMap<string, string>,
  root: string,
  cwd: string,
  context: string,
  isIgnored: (path: string) => boolean,
): void {
  const paths = rest.split(/\s+/)
  const to = paths.pop() ?? ''
  const from = flags['from'] === undefined ? context : roots.get(flags['from'])
  if (from === undefined) throw new Error(`unknown stage ${flags['from']}`)
  const target = join(root, to.startsWith('/') ? to : join(cwd, to))
  for (const path of paths) {
    const source = join(from, path)
    const isFolder = lstatSync(source).isDirectory()
    const filter = (file: string): boolean =>
      flags['from'] !== undefined || lstatSync(file).isDirectory() || !isIgnored(relative(context, file))
    if (!isFolder && !filter(source)) throw new Error(`.dockerignore excludes ${path}`)
    // A file goes into a folder that ends in / or exists; a folder's content replaces the folder's.
    const place = !isFolder && /\/$|^\.$/.test(to) ? join(target, path) : target
    mkdirSync(dirname(place), { recursive: true })
    cpSync(source, place, { recursive: true, filter, verbatimSymlinks: true })
    must(spawnSync('chown', ['-R', flags['chown'] ?? '0:0', place]), `COPY ${rest}`)
  }
}

type State = { readonly cwd: string; readonly user: string; readonly env: Readonly<Record<string, string>> }

/** In a mount namespace of its own, where the programs of this machine are seen, read-only, inside the root. */
function run({ rest }: Step, root: string, { cwd, user, env }: State): void {
  const mounts = ['usr/bin', 'usr/lib', 'usr/lib64', 'usr/share', 'etc'].filter((path) => existsSync(`/${path}`))
  for (const path of mounts) mkdirSync(join(root, path), { recursive: true })
  for (const path of ['bin', 'lib', 'lib64']) {
    if (!existsSync(`/${path}`) || existsSync(join(root, path))) continue
    if (!lstatSync(`/${path}`).isSymbolicLink()) throw new Error(`/${path} is not a link into /usr on this machine`)
    symlinkSync(readlinkSync(`/${path}`), join(root, path))
  }
  const script = [
    'set -e',
    ...mounts.map((path) => `mount --rbind /${path} "$1/${path}"; mount -o remount,ro,bind "$1/${path}"`),
    'mount --rbind /dev "$1/dev"',
    'mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"',
    'exec chroot --userspec="$2" --groups= "$1" /bin/sh -c "cd \\"$3\\" && $4"',
  ].join('\n')
  const args = ['--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', root, user, cwd, rest]
  const ways = Object.entries(process.env).filter(([name]) => waysOut.test(name))
  const done = spawnSync('unshare', args, {
    timeout: runDeadlineMs,
    encoding: 'utf8',
    env: {
      ...Object.fromEntries(ways),
      PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
      HOME: user.startsWith('0:') ? '/root' : '/tmp',
      ...readWaysOfNpm(),
      npm_config_cache: '/tmp/npm',
      npm_config_update_notifier: 'false',
      ...env,
    },
  })
  must(done, `RUN ${rest}`)
}

/** How this machine's npm reaches its registry, whichever of its files says so: inside the root it would find none of them. */
function readWaysOfNpm(): Record<string, string> {
  // Beside the repository's own node, npm would look for its global settings next to that.
  const path = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
  const env = { ...process.env, PATH: path.join(':') }
  const ways: Record<string, string> = {}
  for (const name of ['registry', 'cafile', 'proxy', 'https-proxy', 'noproxy']) {
    const value = readOutput('npm', ['config', 'get', name], env)
    if (value !== '' && value !== 'null' && value !== 'undefined')
      ways[`npm_config_${name.replaceAll('-', '_')}`] = value
  }
  return ways
}

function readOutput(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  const done = spawnSync(command, args, { encoding: 'utf8', env })
  must(done, command)
  return done.stdout.trim()
}

type Done = { readonly status: number | null; readonly stderr: string | Buffer; readonly error?: Error }

function must({ status, stderr, error }: Done, what: string): void {
  if (status !== 0) throw new Error(`${what} failed: ${error?.message ?? String(stderr).trim()}`)
}
