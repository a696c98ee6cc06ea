// The image of the service, built by buildah from a copy of the build context and started by podman as an orchestrator would. Except in the
// soak, it contains the dashboard that the run has built.
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Engine } from '../_kit/container-engine.ts'
import { buildDashboard } from '../_kit/dashboard.ts'
import { describeNpm, prepareBases, readArguments } from '../_kit/image-bases.ts'
import { isSoak } from '../_kit/soak.ts'

export const repository = fileURLToPath(new URL('../../', import.meta.url))
const image = 'localhost/tracewright:test'
const container = 'tracewright-test'

// A build makes thirty images, one for each step.
const mostImages = 150

// Files of a developer's checkout that must not get into an image.
const canaries = [
  '.env',
  '.data/secret',
  '.git/config',
  'deploy/secrets/secret',
  'src/.env',
  'src/.data/secret',
  'workers/a.log',
  'dashboard/.env',
  'dashboard/dist/left-behind.js',
]

/**
 * Installed packages are large and ignored by the build, so they are not copied. The dashboard's earlier output and its tests are copied, so
 * that the test sees that the build ignores them.
 */
const isSent = (path: string): boolean => basename(path) !== 'node_modules'

/** The two steps of the dashboard's stage that are replaced. The COPY lines around them stay, so that the test sees what the context sends. */
const install = /^RUN npm ci --workspace dashboard .*\n/m
const build = /^RUN npm run build --workspace dashboard\n/m
/**
 * The replacement: the build of this run, which the same script made from the same lock file, after a look at what the stage has received from
 * the context.
 */
const useBuilt = `RUN test -d dashboard/src && test ! -e dashboard/dist && test ! -e dashboard/.env && test ! -e dashboard/test
COPY --from=built . /app/dashboard/dist
`

/**
 * Builds the image. Returns a text that is in files of the context and must not be in an image. The soak builds it by the Dockerfile as it
 * is. Otherwise its stage of the dashboard copies the build of this run, which is made before if it is missing or out of date: a second build
 * would take half of the time.
 */
export async function buildImage(engine: Engine, revision: string): Promise<{ readonly canary: string }> {
  if (!isSoak) await buildDashboard()
  const folder = mkdtempSync(join(tmpdir(), 'image-'))
  const context = join(folder, 'context')
  const canary = `canary-${process.pid}-${Date.now()}`
  try {
    for (const path of [
      '.dockerignore',
      'package.json',
      'package-lock.json',
      'proto',
      'sql',
      'src',
      'workers',
      'deploy',
      'dashboard',
      'sdk/package.json',
    ])
      cpSync(join(repository, path), join(context, path), { recursive: true, preserveTimestamps: true, filter: isSent })
    for (const path of canaries) {
      mkdirSync(dirname(join(context, path)), { recursive: true })
      writeFileSync(join(context, path), canary)
    }
    await cleanStore(engine)
    const file = join(context, 'deploy/Dockerfile')
    const { NODE_IMAGE = '', BASE_IMAGE = '' } = readArguments(file)
    if (!isSoak) {
      replaceIn(file, install, '')
      replaceIn(file, build, useBuilt)
    }
    const hadBases = await prepareBases(engine, `docker.io/library/${NODE_IMAGE}`, BASE_IMAGE)
    const flags = [
      '--isolation=chroot',
      '--format=docker',
      // To keep the layers costs half as much as the build: worth it only where tests are repeated.
      `--layers=${hadBases}`,
      '--pull-never',
      `--build-arg=REVISION=${revision}`,
      ...(isSoak ? [] : [`--build-context=built=${join(repository, 'dashboard/dist')}`]),
    ]
    await engine.must('buildah', 'build', ...flags, ...describeNpm(folder), '--tag', image, '--file', file, context)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { canary }
}

function replaceIn(file: string, part: RegExp, replacement: string): void {
  const text = readFileSync(file, 'utf8')
  if (!part.test(text)) throw new Error(`${file} has no part like ${part}`)
  writeFileSync(file, text.replace(part, replacement))
}

/** Removes the remains of killed runs and, from time to time, the layers of earlier builds: a change of the source adds some 60 MB. */
async function cleanStore(engine: Engine): Promise<void> {
  await engine.must('buildah', 'rm', '--all')
  const count = (await engine.must('buildah', 'images', '--all', '--quiet')).split('\n').length
  if (count > mostImages) await engine.must('buildah', 'rmi', '--prune')
}

export type ImageConfig = {
  readonly Size: number
  readonly User: string
  readonly Labels: Readonly<Record<string, string>>
  readonly Config: {
    readonly Env: readonly string[]
    readonly Entrypoint: readonly string[]
    readonly StopSignal: string
    readonly ExposedPorts: object
  }
  readonly Healthcheck: { readonly Test: readonly string[] }
}

export async function readConfig(engine: Engine): Promise<ImageConfig> {
  const [config] = JSON.parse(await engine.must('podman', 'image', 'inspect', image)) as ImageConfig[]
  if (config === undefined) throw new Error('podman tells nothing of the image')
  return config
}

/** Calls `look` with the folder in which the file system of the image is mounted. */
export async function lookInto<T>(engine: Engine, look: (root: string) => T): Promise<T> {
  const root = await engine.must('podman', 'image', 'mount', image)
  try {
    return look(engine.outside(root))
  } finally {
    await engine.must('podman', 'image', 'unmount', image)
  }
}

export type Started = {
  readonly lines: readonly string[]
  /** The exit code of the container. */
  readonly ended: Promise<number | null>
}

type Way = { readonly settings: Readonly<Record<string, string>>; readonly secrets: readonly string[] }

/** Starts a read-only container without capabilities, with a small /tmp. `secrets` are files that the container sees in /run/secrets. */
export function startContainer(engine: Engine, { settings, secrets }: Way): Started {
  const child = engine.start(
    'podman',
    'run',
    '--rm',
    // A killed run leaves the name taken.
    '--replace',
    '--pull=never',
    `--name=${container}`,
    '--network=host',
    '--cgroups=disabled',
    '--read-only',
    '--read-only-tmpfs=false',
    '--tmpfs=/tmp:rw,size=64m,mode=1777,nosuid,nodev',
    '--cap-drop=all',
    '--security-opt=no-new-privileges',
    '--health-interval=disable',
    // Podman's defaults are higher than a sandbox allows.
    '--ulimit=nofile=4096:4096',
    '--ulimit=nproc=4096:4096',
    ...secrets.map((file) => `--volume=${file}:/run/secrets/${basename(file)}:ro`),
    ...Object.entries(settings).map(([name, value]) => `--env=${name}=${value}`),
    image,
  )
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null) createInterface({ input: stream }).on('line', (line) => lines.push(line))
  return { lines, ended: once(child, 'close').then(([code]) => code as number | null) }
}

/** Runs the health check of the image in the container. Returns its exit code. */
export const checkHealth = async (engine: Engine): Promise<number> =>
  (await engine.run('podman', 'healthcheck', 'run', container)).code

/** Runs a command in the container. Returns its exit code. */
export const runInside = async (
  engine: Engine,
  settings: readonly string[],
  command: readonly string[],
): Promise<number> =>
  (await engine.run('podman', 'exec', ...settings.map((one) => `--env=${one}`), container, ...command)).code

/** Sends the stop signal that the image names. */
export const stopContainer = async (engine: Engine): Promise<void> =>
  void (await engine.must('podman', 'stop', '--time=40', container))

/** Writes files for `startContainer` that other users cannot read, until `remove`. */
export function writeSecrets(secrets: Readonly<Record<string, string>>): { files: string[]; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'image-secrets-'))
  const files = Object.entries(secrets).map(([name, value]) => {
    const file = join(folder, name)
    writeFileSync(file, value)
    // Only root may enter the folder; the user of the image must be able to read the file.
    chmodSync(file, 0o444)
    return file
  })
  return { files, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
