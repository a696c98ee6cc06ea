// The test command: starts what the tests need, runs ava, stops what it started, and prints one closing line.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '../../src/store/embedded/server.ts'
import { prepareChromium } from './chromium.ts'
import { compileCache, warmCompileCache } from './compile-cache.ts'
import { type Cost, readCosts } from './costs.ts'
import { buildDashboard } from './dashboard.ts'
import { memoryInFolder } from './data-dir.ts'
import { dropTemplate, prepareTemplate } from './db.ts'
import './leave.ts'
import { startNats } from './nats.ts'
import { type Lane, planPhases } from './phases.ts'
import { type Result, report, writeLine } from './report.ts'
import { makeRunFolder } from './scratch-folder.ts'
import { type Stoppable, stopAll } from './stop-all.ts'
import { startTimescale } from './timescale.ts'
import { tryAgain } from './try-again.ts'
import { makeServerUses } from './uses-servers.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const deadlineMs = 45 * 60_000
// More than the longest test may take.
const silenceMs = 1_100_000

// For speed: data of tests need not survive a power failure.
const fastSettings = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'shared_buffers=128MB',
  'max_wal_size=256MB',
  'max_connections=400',
  // Autovacuum runs at unpredictable times, and most databases are dropped by then. Tests that need statistics gather them.
  'autovacuum=off',
  'jit=off',
  // For passwords that are set from then on (prepareTemplate).
  'scram_iterations=1',
  // A run may be killed together with its servers.
  memoryInFolder,
]

const files = process.argv.slice(2)
// `TEST_DATABASE=timescale npm test -- <files>` runs any test on TimescaleDB.
const isAllOnTimescale = process.env['TEST_DATABASE'] === 'timescale'
// An argument may be a folder.
const chosen = globSync([...files, ...files.map((path) => `${path}/**/*.ts`)], { cwd: root })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => relative(root, resolve(root, path)))
const hasChosen = (isOne: (file: string) => boolean): boolean => files.length === 0 || chosen.some(isOne)
const { usesTimescale, usesNats, usesServer } = makeServerUses(root)
const needsTimescale = isAllOnTimescale || hasChosen(usesTimescale)
const needsNats = hasChosen(usesNats)
const needsDashboard = hasChosen((file) => /dashboard/.test(file))
const template = `tracewright_template_${randomBytes(6).toString('hex')}`

let isInterrupted = false

async function main(): Promise<void> {
  const started: Stoppable[] = []
  const results: Result[] = []
  let costs: readonly Cost[] = []
  let fault: unknown
  // An interrupted run ends its test files, starts no others, and stops its servers.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      isInterrupted = true
      for (const ava of running) endAva(ava)
    })
  }
  // Such as one in a listener: the files that run go on, and the report names it.
  process.on('uncaughtException', (error) => {
    fault ??= error
  })
  const preparing = prepareAll(started)
  try {
    const env: Record<string, string> = { TEST_TEMPLATE: template, ...(await preparing.database) }
    const { phases, companions } = planPhases(root, files)
    env['TEST_COMPANIONS'] = JSON.stringify(companions)
    if (files.length === 0) env['TEST_COSTS'] = startCosts(started)
    for (const lanes of phases)
      results.push(...(await Promise.all(lanes.map(async (lane) => await runInTurn(lane, env, preparing)))).flat())
    if (env['TEST_COSTS'] !== undefined) costs = readCosts(env['TEST_COSTS'])
  } catch (error) {
    fault ??= error
  }
  // What is still being started is stopped too.
  await Promise.allSettled(Object.values(preparing))
  // Before the report, whose closing line is the last one.
  const isLeft = await stopAll(started, writeLine)
  const hasPassed = report(results, costs, fault)
  process.exitCode = hasPassed && !isLeft && !isInterrupted ? 0 : 1
}

/** Makes the list to which the processes of the test files append their costs. */
function startCosts(started: Stoppable[]): string {
  const path = join(mkdtempSync(join(tmpdir(), 'tracewright-costs-')), 'costs.jsonl')
  writeFileSync(path, '')
  started.push(describeFolder(dirname(path)))
  return path
}

/** A killed server's processes write for a moment longer, hence the retries. */
const describeFolder = (path: string): Stoppable => ({
  what: path,
  isServer: false,
  stop: async () => rmSync(path, { recursive: true, force: true, maxRetries: 10 }),
})

const describeServer = (what: string, stop: () => Promise<void>): Stoppable => ({ what, isServer: true, stop })

type Env = Readonly<Record<string, string>>

/** Variables for the test files. On a new machine the servers take a minute, in which files that use none of them run. */
type Preparing = {
  readonly database: Promise<Env>
  /** Never rejects. */
  readonly servers: Promise<Env>
  /** Never rejects. */
  readonly dashboard: Promise<Env>
}

function prepareAll(started: Stoppable[]): Preparing {
  const servers = prepareServers(started)
  return {
    servers,
    dashboard: needsDashboard ? prepareDashboard() : Promise.resolve({}),
    database: prepareDatabase(started, servers),
  }
}

async function prepareServers(started: Stoppable[]): Promise<Env> {
  const timescale = needsTimescale ? await prepareTimescale(started) : {}
  return { ...timescale, ...(needsNats ? await prepareNats(started) : {}) }
}

function takeTimescale({ TEST_TIMESCALE_URL: url, TEST_TIMESCALE_FAULT: fault }: Env): string {
  if (url === undefined) throw new Error(fault)
  return url
}

async function prepareDatabase(started: Stoppable[], servers: Promise<Env>): Promise<Env> {
  const folder = makeRunFolder()
  // For root, the servers on it run as another user, who needs access.
  chmodSync(folder, 0o755)
  started.push(describeFolder(folder))
  const server = isAllOnTimescale ? servers.then(takeTimescale) : prepareEmbedded(started, folder)
  // Without it, the run is slower.
  const warm = async (): Promise<void> => await warmCompileCache().catch((error: unknown) => writeLine(String(error)))
  const [url] = await Promise.all([server, files.length === 0 ? warm() : undefined])
  return { TEST_DATABASE_URL: url, TEST_RUN_FOLDER: folder }
}

async function prepareEmbedded(started: Stoppable[], folder: string): Promise<string> {
  const options = { dataDir: join(folder, 'data'), settings: fastSettings, onLine: () => undefined }
  const server = await tryAgain(async () => await startEmbeddedPostgres(options))
  const url = server.url('postgres')
  started.push(describeServer('PostgreSQL', async () => await server.stop()))
  await prepareTemplate(url, template)
  return url
}

/** Returns variables for the tests that need TimescaleDB. Without a server, only these tests fail, with an error that says how to install one. */
async function prepareTimescale(started: Stoppable[]): Promise<Record<string, string>> {
  try {
    const server = await startTimescale(fastSettings)
    started.push(describeServer('TimescaleDB', server.stop))
    // A server of TEST_TIMESCALE_URL outlives the run.
    started.push({ what: template, isServer: false, stop: async () => await dropTemplate(server.url, template) })
    await prepareTemplate(server.url, template)
    return { TEST_TIMESCALE_URL: server.url }
  } catch (error) {
    return { TEST_TIMESCALE_FAULT: (error as Error).message }
  }
}

/** As with TimescaleDB. Tests that stop or suspend their server start their own. */
async function prepareNats(started: Stoppable[]): Promise<Record<string, string>> {
  if (process.env['TEST_NATS_URL'] !== undefined) return {}
  try {
    const server = await startNats()
    started.push(describeServer('NATS', server.stop))
    return { TEST_NATS_URL: server.url }
  } catch (error) {
    return { TEST_NATS_FAULT: (error as Error).message }
  }
}

/** As with TimescaleDB: finds a browser and builds the dashboard. This is done once, since test files run in parallel. Never rejects. */
async function prepareDashboard(): Promise<Record<string, string>> {
  try {
    await prepareChromium()
    await buildDashboard()
    return {}
  } catch (error) {
    return { TEST_DASHBOARD_FAULT: (error as Error).message }
  }
}

const running = new Set<ChildProcess>()

/** Kills ava and its test files. */
function endAva(ava: ChildProcess): void {
  killFiles(ava)
  ava.kill('SIGKILL')
}

const maxReasonLines = 200

async function runInTurn(lanes: readonly Lane[], env: Env, preparing: Preparing): Promise<Result[]> {
  const results: Result[] = []
  for (const lane of lanes) {
    const servers = needsServersOf(lane) ? await preparing.servers : {}
    const dashboard = readsBuild(lane) ? await preparing.dashboard : {}
    if (!isInterrupted) results.push(await runAva(lane, { ...env, ...servers, ...dashboard }))
  }
  return results
}

const needsServersOf = ({ args }: Lane): boolean => files.length > 0 || args.some(usesServer)

/** The test of the image puts the build into the image, and would make it a second time at the same time. Chosen files may be any. */
const readsBuild = ({ args }: Lane): boolean =>
  files.length > 0 || args.some((file) => /^test\/(?:dashboard\/|deploy\/image)/.test(file))

/** Prints ava's report while it runs and keeps its lines, since ava's summary omits the passed tests if one has failed. */
async function runAva({ name, concurrency, args }: Lane, env: Env): Promise<Result> {
  const ava = fileURLToPath(new URL('../../node_modules/ava/entrypoints/cli.js', import.meta.url))
  const leave = new URL('./leave.ts', import.meta.url).href
  const child = spawn(process.execPath, [`--import=${leave}`, ava, `--concurrency=${concurrency}`, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...compileCache,
      ...process.env,
      ...env,
      NODE_ENV: 'test',
      FORCE_COLOR: '0',
    },
  })
  running.add(child)
  const startedAtMs = performance.now()
  // A run that hangs must still end with a report.
  const killer = setTimeout(() => endAva(child), deadlineMs)
  const watchdog = setTimeout(() => endSilent(child), silenceMs)
  let line = ''
  const passed: string[] = []
  const failed: string[] = []
  const reasons: string[] = []
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (text: string) => {
    watchdog.refresh()
    const lines = (line + text).split('\n')
    line = lines.pop() ?? ''
    // Only whole lines, since other lanes write too.
    for (const one of lines) writeLine(one)
    passed.push(...lines.filter((one) => /^\s*✔ /.test(one)))
    failed.push(...lines.filter((one) => /^\s*✘ /.test(one)))
    for (const one of lines)
      if ((reasons.length > 0 && reasons.length < maxReasonLines) || /^\s*─$/.test(one)) reasons.push(one)
  })
  // Without a listener for its error, a process that cannot be started would end the run.
  const code = await new Promise<number>((done) => {
    child.once('error', (error) => {
      writeLine(String(error))
      done(1)
    })
    child.once('close', (status) => done(status ?? 1))
  })
  running.delete(child)
  writeLine(line)
  clearTimeout(killer)
  clearTimeout(watchdog)
  const took = `${name} ${((performance.now() - startedAtMs) / 1_000).toFixed(0)} s`
  return { passed, failed, reasons, code, took }
}

/** Lists and kills test files that have stopped printing and do not end, so that ava names them. */
function endSilent(ava: ChildProcess): void {
  writeLine(
    `nothing was heard for ${silenceMs / 1_000} s; these are killed (parent, pid, state, waits in, seconds, command):`,
  )
  for (const line of killFiles(ava)) writeLine(line)
}

/** Kills the running test files and returns a line about each. */
function killFiles(ava: ChildProcess): readonly string[] {
  const listed = spawnSync('ps', ['-e', '-o', 'ppid=,pid=,stat=,wchan:32=,etimes=,args='], { encoding: 'utf8' })
  // A machine may have no `ps`.
  if (listed.error !== undefined) return [String(listed.error)]
  const left = listed.stdout.split('\n').filter((line) => Number.parseInt(line, 10) === ava.pid)
  for (const line of left) spawnSync('kill', ['-KILL', line.trim().split(/\s+/)[1] ?? ''])
  return left
}

await main()
// Also where something that could not be stopped would keep this process alive.
process.exit()
