// The image: built by buildah from the Dockerfile, run by podman as a cluster would, and tested from outside. The two steps that build the
// dashboard run only in the soak.
import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import test from 'ava'
import { openEngine } from '../_kit/container-engine.ts'
import { makeDatabase } from '../_kit/db.ts'
import { findFreePort } from '../_kit/free-port.ts'
import { readArguments } from '../_kit/image-bases.ts'
import { signUp } from '../_kit/sign-up.ts'
import { encodeRequest, makeSpan, randomTraceId } from '../_kit/spans.ts'
import { until } from '../_kit/until.ts'
import { post } from '../ingest/_http.ts'
import * as images from './_image.ts'

const nobody = 65_532
const mostBytes = 205_000_000
const revision = 'a'.repeat(40)

type Manifest = { readonly version: string; readonly dependencies: { readonly node: string } }
type Lock = {
  readonly packages: Readonly<Record<string, { dev?: true; optional?: true; devOptional?: true; link?: true }>>
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(images.repository, path), 'utf8'))
const manifest = readJson('package.json') as Manifest

test('the Dockerfile names the node that the tests run, a base without a shell, and the version of the package', (t) => {
  const { NODE_IMAGE, BASE_IMAGE, VERSION } = readArguments(join(images.repository, 'deploy/Dockerfile'))
  t.is(NODE_IMAGE, `node:${manifest.dependencies.node}-trixie-slim`)
  t.is(process.versions.node, manifest.dependencies.node)
  t.regex(BASE_IMAGE ?? '', /distroless\/.*:nonroot$/)
  t.is(VERSION, manifest.version)
})

test('the image contains only what it runs, works read-only without capabilities, and stops on SIGTERM', async (t) => {
  t.timeout(1_000_000)
  const engine = await openEngine()
  const database = await makeDatabase()
  const secrets = images.writeSecrets({ database_url: database.url, secret: randomBytes(32).toString('base64url') })
  try {
    const { canary } = await images.buildImage(engine, revision)

    const { Size, User, Labels, Config, Healthcheck } = await images.readConfig(engine)
    t.log(`${(Size / 1e6).toFixed(0)} MB`)
    t.true(Size < mostBytes, `${Size} bytes`)
    t.is(User, `${nobody}:${nobody}`)
    t.is(Config.StopSignal, 'SIGTERM')
    t.deepEqual(Config.Entrypoint, ['/usr/local/bin/node', '/app/src/main.ts'])
    t.deepEqual(Object.keys(Config.ExposedPorts).toSorted(), ['8080/tcp', '9464/tcp'])
    t.deepEqual(Healthcheck.Test, ['CMD', '/usr/local/bin/node', '/app/deploy/image/probe.ts', 'live'])
    t.is(Labels['org.opencontainers.image.version'], manifest.version)
    t.is(Labels['org.opencontainers.image.revision'], revision)
    // The environment contains no secret.
    t.deepEqual(Config.Env.map((one) => one.replace(/=.*/, '')).toSorted(), [
      'NODE_COMPILE_CACHE',
      'NODE_ENV',
      'PATH',
      'TRACEWRIGHT_HOST',
    ])

    await images.lookInto(engine, (root) => {
      t.deepEqual(readdirSync(join(root, 'app')).toSorted(), [
        'dashboard',
        'deploy',
        'node_modules',
        'package-lock.json',
        'package.json',
        'proto',
        'sql',
        'src',
        'workers',
      ])
      t.deepEqual(readdirSync(join(root, 'app/deploy')), ['image'])
      t.deepEqual(readdirSync(join(root, 'app/dashboard')), ['dist'])
      t.deepEqual(readdirSync(join(root, 'usr/local/bin')), ['node'])
      t.false(existsSync(join(root, 'usr/local/lib/node_modules')))
      t.deepEqual(listForeign(join(root, 'app')), [])
      const paths = listPaths(root, 'app', 'cache', 'root', 'home', 'tmp')
      t.deepEqual(
        paths.filter((path) => ['_cacache', '.npm', '_logs'].includes(basename(path))),
        [],
      )
      t.deepEqual(
        paths.filter((path) => /\/node_modules\/.*\.(?:d\.[cm]?ts|map)$/.test(path)),
        [],
      )
      t.deepEqual(listWithText(paths, canary), [])
      // Only the cache belongs to the user.
      t.is(lstatSync(join(root, 'cache')).uid, nobody)
      const owned = listPaths(root, 'app', 'usr').filter((path) => lstatSync(path).uid !== 0)
      t.deepEqual(owned, [])
    })

    const settings = {
      TRACEWRIGHT_HOST: '127.0.0.1',
      TRACEWRIGHT_METRICS_PORT: '0',
      TRACEWRIGHT_DATABASE_URL_FILE: '/run/secrets/database_url',
      TRACEWRIGHT_SECRET_FILE: '/run/secrets/secret',
      NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
    }
    const way = { settings, secrets: secrets.files }
    const migrating = images.startContainer(engine, { ...way, settings: { ...settings, TRACEWRIGHT_ROLES: 'migrate' } })
    t.is(await migrating.ended, 0, migrating.lines.join('\n'))

    const port = await findFreePort()
    const service = images.startContainer(engine, {
      ...way,
      settings: { ...settings, TRACEWRIGHT_PORT: String(port) },
    })
    let hasEnded = false
    void service.ended.then(() => (hasEnded = true))
    const baseUrl = `http://127.0.0.1:${port}`
    await until(async () => {
      if (hasEnded) throw new Error(`the service ended at its start:\n${service.lines.join('\n')}`)
      return (await fetch(`${baseUrl}/v1/health/ready`).catch(() => null))?.ok === true
    })

    const status = engine.readProcess(Config.Entrypoint.join(' '), 'status')
    const read = (name: string): string => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? ''
    t.is(read('Uid'), Array.from({ length: 4 }, () => nobody).join('\t'))
    t.is(read('Gid'), Array.from({ length: 4 }, () => nobody).join('\t'))
    t.is(read('CapEff'), '0000000000000000')
    t.is(read('NoNewPrivs'), '1')
    // Fields: id, parent, device, root of the mount, mount point, options.
    const mounts = engine.readProcess(Config.Entrypoint.join(' '), 'mountinfo').split('\n')
    const root = mounts.map((line) => line.split(' ')).find((fields) => fields[4] === '/')
    t.is(root?.[5]?.split(',')[0], 'ro')

    await until(async () => (await images.checkHealth(engine)) === 0)
    // The control: on a closed port the same command fails.
    t.is(await images.runInside(engine, ['TRACEWRIGHT_PORT=1'], Healthcheck.Test.slice(1)), 1)

    const page = await fetch(baseUrl, { headers: { accept: 'text/html' } })
    t.is(page.status, 200)
    t.regex(page.headers.get('content-security-policy') ?? '', /script-src 'self';/)
    const [, script = ''] = /<script[^>]* src="(\/assets\/[^"]+)"/.exec(await page.text()) ?? []
    const loaded = await fetch(baseUrl + script)
    t.is(loaded.status, 200)
    t.regex(loaded.headers.get('cache-control') ?? '', /immutable/)
    t.regex(loaded.headers.get('content-encoding') ?? '', /br|gzip/)

    const { key, workspaceId, accessToken } = await signUp(baseUrl)
    const traceId = randomTraceId()
    const body = encodeRequest([makeSpan({ traceId, attributes: { 'gen_ai.operation.name': 'chat' } })])
    t.is((await post({ baseUrl, key }, body)).status, 200)
    const path = `${baseUrl}/v1/workspaces/${workspaceId}/traces/${traceId}`
    const found = await fetch(path, { headers: { authorization: `Bearer ${accessToken}` } })
    t.is(found.status, 200)
    t.is(((await found.json()) as { trace_id: string }).trace_id, traceId)

    await images.stopContainer(engine)
    t.is(await service.ended, 0)
    const { accepted, missed } = judgeCache(service.lines)
    t.true(accepted > 500, `${accepted} modules`)
    t.deepEqual(missed, [])
  } finally {
    await engine.stop()
    await database.stop()
    secrets.remove()
  }
})

/** Returns installed packages that, by the lock file, only serve development, an embedded start, or the client library. */
function listForeign(app: string): string[] {
  const { packages } = readJson('package-lock.json') as Lock
  return Object.entries(packages)
    .filter(([, { dev, optional, devOptional, link }]) => (dev ?? optional ?? devOptional ?? link) === true)
    .map(([path]) => path)
    .filter((path) => existsSync(join(app, path)))
}

/** Returns these folders of `root`, as far as there are, and all that is below them. */
function listPaths(root: string, ...folders: readonly string[]): string[] {
  const found = folders.map((folder) => join(root, folder)).filter((folder) => existsSync(folder))
  const listBelow = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path))
  return [...found, ...found.flatMap(listBelow)]
}

const listWithText = (paths: readonly string[], text: string): string[] =>
  paths.filter((path) => lstatSync(path).isFile() && readFileSync(path).includes(text))

/**
 * Returns how many modules came from the compile cache, and which of the service's did not, except the entry, which ends the process that
 * it runs in.
 */
function judgeCache(lines: readonly string[]): { accepted: number; missed: string[] } {
  const told = lines.filter((line) => line.startsWith('[compile cache]'))
  // Threads write at once: only lines with both the file and the outcome are usable. Packages load parts on demand.
  const missed = told.filter((line) =>
    /V8 code cache for .* was (?:not|rejected)|no transpile cache for |Cannot create cache directory/.test(line),
  )
  return {
    accepted: told.filter((line) => line.includes(' was accepted')).length,
    missed: missed.filter((line) => !/\/app\/(src\/main\.ts|node_modules\/)/.test(line)),
  }
}
