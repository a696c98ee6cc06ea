// Replacements for the two base images of the Dockerfile, since tests pull no images. They contain files of the same Debian packages, from
// .cache/trixie, the node of this repository and the npm of this machine, and are kept in the engine's store.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Engine } from './container-engine.ts'
import { listPackageFiles, prepareTrixie } from './trixie.ts'

type Base = { readonly packages: readonly string[]; readonly steps: readonly string[] }

const libraries = 'base-files libc6 libgcc-s1 libssl3t64 libstdc++6 libzstd1 zlib1g'
// The programs that the steps of a build run, and their libraries.
const shell = 'coreutils dash findutils libacl1 libattr1 libcap2 libgmp10 libpcre2-8-0 libselinux1 libsystemd0'

/** Files of the packages that no build and no service reads. */
const unread = /^usr\/share\/(?:doc|info|locale|man)\//

const node: Base = {
  packages: `${libraries} ${shell}`.split(' '),
  steps: ['COPY node /usr/local/bin/node', 'COPY npm /usr/local/lib/node_modules/npm', 'COPY bin /usr/local/bin'],
}
const distroless: Base = { packages: `${libraries} netbase tzdata`.split(' '), steps: [] }

const users = ['root:x:0:0::/root:/sbin/nologin', 'nonroot:x:65532:65532::/home/nonroot:/sbin/nologin']
const groups = ['root:x:0:', 'nonroot:x:65532:']

/** Resolves when both images exist under their names: to whether they existed before. Takes some seconds the first time. */
export async function prepareBases(engine: Engine, nodeImage: string, baseImage: string): Promise<boolean> {
  const hadNode = await prepareBase(engine, nodeImage, node)
  const hadBase = await prepareBase(engine, baseImage, distroless)
  return hadNode && hadBase
}

async function prepareBase(engine: Engine, name: string, base: Base): Promise<boolean> {
  const recipe = JSON.stringify([name, base, users, groups, process.versions.node])
  const mark = `localhost/stand-in:${createHash('sha256').update(recipe).digest('hex').slice(0, 16)}`
  if ((await engine.run('buildah', 'inspect', '--type=image', mark)).code === 0) return true
  const root = await prepareTrixie()
  const context = mkdtempSync(join(tmpdir(), 'image-base-'))
  try {
    const archive = join(context, 'root.tar')
    const files = listPackageFiles(root, base.packages).filter((path) => !unread.test(path))
    must('tar', ['-C', root, '--no-recursion', '--files-from=-', '-cf', archive], files.join('\n'))
    mkdirSync(join(context, 'etc'))
    writeFileSync(join(context, 'etc/passwd'), `${users.join('\n')}\n`)
    writeFileSync(join(context, 'etc/group'), `${groups.join('\n')}\n`)
    if (base === node) copyNode(context)
    const lines = ['FROM scratch', 'ADD root.tar /', 'COPY etc /etc', ...base.steps]
    writeFileSync(join(context, 'Dockerfile'), `${lines.join('\n')}\n`)
    await engine.must('buildah', 'build', '--format=docker', '--quiet', '--tag', name, '--tag', mark, context)
    return false
  } finally {
    rmSync(context, { recursive: true, force: true })
  }
}

function copyNode(context: string): void {
  copyFileSync(process.execPath, join(context, 'node'))
  const npm = realpathSync(must('sh', ['-c', 'command -v npm']).trim())
  const isRead = (path: string): boolean => !/\/npm\/(?:docs|man)$/.test(path)
  cpSync(join(dirname(npm), '..'), join(context, 'npm'), { recursive: true, dereference: true, filter: isRead })
  mkdirSync(join(context, 'bin'))
  must('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(context, 'bin/npm')])
}

/** Returns options of `buildah build` with which `npm ci` reaches the packages as this machine does. They leave nothing in the image. */
export function describeNpm(folder: string): string[] {
  // With the repository's own node on the PATH, npm would search for its global settings next to that node.
  const path = (process.env['PATH'] ?? '').split(':').filter((one) => !one.includes('node_modules'))
  const env = { ...process.env, PATH: path.join(':') }
  const names = ['registry', 'cafile', 'proxy', 'https-proxy', 'noproxy']
  // A line for each name, such as `cafile=null`.
  const known = must('npm', ['config', 'get', ...names, 'cache'], '', env)
    .trim()
    .split('\n')
  const cache = known.pop()?.slice('cache='.length) ?? ''
  const given = known.filter((line) => !/=(?:|null|undefined)$/.test(line))
  const lines = ['prefer-offline=true', 'update-notifier=false', ...given]
  mkdirSync(cache, { recursive: true })
  const settings = join(folder, 'npmrc')
  writeFileSync(settings, `${lines.join('\n')}\n`)
  const authority = lines.find((line) => line.startsWith('cafile='))?.slice('cafile='.length)
  const mounts = [`${settings}:/root/.npmrc:ro`, `${cache}:/root/.npm:rw`]
  if (authority !== undefined) mounts.push(`${authority}:${authority}:ro`)
  return mounts.map((mount) => `--volume=${mount}`)
}

function must(command: string, args: readonly string[], input = '', env: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { input, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr.trim()}`)
  return stdout
}

/** Returns the arguments of a Dockerfile that have a default, by name. */
export function readArguments(file: string): Record<string, string> {
  const pairs = readFileSync(file, 'utf8').matchAll(/^ARG (\w+)=(\S+)$/gm)
  return Object.fromEntries([...pairs].map(([, name = '', value = '']) => [name, value]))
}
