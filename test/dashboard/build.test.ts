// Builds the page at a start only if that is due, and without making the service wait.
import { randomInt } from 'node:crypto'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { type Build, makeBuild } from '../../src/dashboard/build.ts'
import { openDashboard } from '../../src/dashboard/open.ts'
import type { PageAnswer } from '../../src/web/pages.ts'
import { findProcesses } from '../_kit/find-processes.ts'
import { until } from '../_kit/until.ts'
import { index, makeFolder, writeBuilt } from './_built.ts'

const noSignal = new AbortController().signal

/** Makes a checkout whose page is built by the given script. */
function makeCheckout(t: ExecutionContext, buildScript: string): string {
  const root = makeFolder(t)
  mkdirSync(join(root, 'dashboard/src/app'), { recursive: true })
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'root', private: true, workspaces: ['dashboard'] }))
  const manifest = { name: 'dashboard', version: '1.0.0', scripts: { build: buildScript } }
  writeFileSync(join(root, 'dashboard/package.json'), JSON.stringify(manifest))
  writeFileSync(join(root, 'dashboard/src/app/main.tsx'), '')
  return root
}

const touch = (path: string, secondsAgo: number): void => {
  const at = new Date(Date.now() - secondsAgo * 1_000)
  utimesSync(path, at, at)
}

const read = (find: (request: never) => PageAnswer | null): { status: number; text: string; headers: object } => {
  const request = { path: '/', wantsPage: true, acceptEncoding: undefined, ifNoneMatch: undefined }
  const answer = find(request as never)
  if (answer === null) throw new Error('nothing was found')
  return { status: answer.status, text: answer.body?.toString() ?? '', headers: answer.headers }
}

type Told = { building: number; built: number[]; errors: unknown[] }

async function open(folder: string, build: Build | null) {
  const told: Told = { building: 0, built: [], errors: [] }
  const page = await openDashboard({
    folder,
    build,
    onBuilding: () => void told.building++,
    onBuilt: (seconds) => void told.built.push(seconds),
    onError: (error) => void told.errors.push(error),
  })
  return { ...page, told }
}

test('a build is due if there is none, or if a source is newer than it', async (t) => {
  const root = makeCheckout(t, 'true')
  const { isDue } = makeBuild(root)
  t.true(await isDue())
  writeBuilt(join(root, 'dashboard/dist'))
  for (const path of ['package.json', 'src/app/main.tsx']) touch(join(root, 'dashboard', path), 60)
  t.true(await isDue(), 'an interrupted build has no compressed page')
  writeFileSync(join(root, 'dashboard/dist/index.html.gz'), '')
  t.false(await isDue())
  touch(join(root, 'dashboard/src/app/main.tsx'), -60)
  t.true(await isDue())
})

test('generated files, installed files and tests make no build due', async (t) => {
  const root = makeCheckout(t, 'true')
  writeBuilt(join(root, 'dashboard/dist'))
  writeFileSync(join(root, 'dashboard/dist/index.html.gz'), '')
  for (const path of ['package.json', 'src/app/main.tsx', 'dist/index.html.gz'])
    touch(join(root, 'dashboard', path), 60)
  for (const path of ['node_modules/x', 'test/x', '.cache/x', 'dist/x']) {
    mkdirSync(join(root, 'dashboard', path), { recursive: true })
    writeFileSync(join(root, 'dashboard', path, 'young.ts'), '')
  }
  t.false(await makeBuild(root).isDue())
})

test('without the sources, as in an image, nothing is due', async (t) => {
  const root = makeFolder(t)
  t.false(await makeBuild(root).isDue())
  writeBuilt(join(root, 'dashboard/dist'))
  t.false(await makeBuild(root).isDue())
})

test('the command in the notice builds the page', async (t) => {
  const root = makeCheckout(t, `mkdir -p dist && echo '${index}' > dist/index.html && touch dist/index.html.gz`)
  const build = makeBuild(root)
  await build.run(noSignal)
  t.false(await build.isDue())
  const page = await open(join(root, 'dashboard/dist'), build)
  t.is(read(page.findPage).text, `${index}\n`)
  t.is(page.told.building, 0)
})

test('a build that fails says why', async (t) => {
  const root = makeCheckout(t, 'echo "no such component" >&2; exit 3')
  await t.throwsAsync(makeBuild(root).run(noSignal), { message: /npm run build[^]*no such component/ })
})

test('while a build runs, the page says so and reloads itself until the dashboard is there', async (t) => {
  const folder = join(makeFolder(t), 'dist')
  const finished = Promise.withResolvers<void>()
  const run = async (): Promise<void> => {
    await finished.promise
    writeBuilt(folder)
  }
  const page = await open(folder, { isDue: async () => true, run })
  const waiting = read(page.findPage)
  t.is(waiting.status, 503)
  t.like(waiting.headers, { 'Retry-After': '2', 'Cache-Control': 'no-store' })
  t.regex(waiting.text, /http-equiv="refresh" content="2"[^]*is being built/)
  t.is(page.told.building, 1)
  finished.resolve()
  await page.settled
  t.is(read(page.findPage).text, index)
  t.is(page.told.built.length, 1)
  t.deepEqual(page.told.errors, [])
})

test('if a build fails, the service continues, and the page names the command', async (t) => {
  const folder = join(makeFolder(t), 'dist')
  const run = async (): Promise<void> => await Promise.reject(new Error('no'))
  const page = await open(folder, { isDue: async () => true, run })
  await page.settled
  const answer = read(page.findPage)
  t.is(answer.status, 404)
  t.regex(answer.text, /npm run build --workspace dashboard/)
  t.is(String(page.told.errors), 'Error: no')
})

test('a service that stops ends its build', async (t) => {
  const folder = join(makeFolder(t), 'dist')
  const run = async (signal: AbortSignal): Promise<void> =>
    await new Promise((_, fail) => signal.addEventListener('abort', () => fail(new Error('aborted'))))
  const page = await open(folder, { isDue: async () => true, run })
  await page.stop()
  t.deepEqual(page.told.errors, [])
})

test('the command of a build ends with its signal, and so do the programs that it has started', async (t) => {
  const duration = `600.${randomInt(2 ** 32)}`
  const root = makeCheckout(t, `sleep ${duration} && echo built`)
  const findPrograms = (): number[] => findProcesses(`sleep\0${duration}`)
  t.teardown(() => {
    for (const pid of findPrograms()) process.kill(pid)
  })
  const stopping = new AbortController()
  const running = makeBuild(root).run(stopping.signal)
  await until(() => findPrograms().length > 0)
  stopping.abort()
  const error = await running.catch((one: unknown) => one)
  t.is((error as Error).name, 'AbortError')
  t.deepEqual(findPrograms(), [])
})
