// The database is reachable but impaired: slow, locked by others, or with a full disk.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { signUp } from '../_kit/sign-up.ts'
import { until } from '../_kit/until.ts'
import type { Part } from '../cluster/_part.ts'
import { type MortalDatabase, openMortalDatabase } from './_database.ts'
import type { Scene, SceneOptions } from './_scene.ts'
import { limit, type Result, under } from './_under.ts'

const slowMs = 2_000
const slowForMs = 20_000
const calmForMs = 3_000

/** F10: 2 s for each query: some requests are refused for now, probes are answered at once, and memory does not grow. */
export const slowDatabase = (scene: Scene<MortalDatabase>): Promise<Result> =>
  under(scene, { ingest: ['503'], reads: ['503'] }, async (load, faults) => {
    const { cluster, database } = scene
    const calm = await probeHealth(cluster.fronts, calmForMs)
    const before = await readMiB(cluster.fronts)
    database.slow(slowMs)
    const strained = await probeHealth(cluster.fronts, slowForMs)
    const after = await readMiB(cluster.fronts)
    database.slow(0)
    const grown = Math.max(...after.map((mib, at) => mib - (before[at] ?? 0)))
    if (grown > 150) faults.push(`a front grew by ${Math.round(grown)} MiB`)
    // The wait of a probe without the fault is due to the machine.
    const more = Math.max(strained - calm, 0)
    return {
      health_p99_more_ms: limit(scene, faults, 'a probe', more, 100),
      grown_mib: Math.round(grown),
      refused: load.answers['503'] ?? 0,
    }
  })

/** Returns the 99th percentile of the time of a probe, in ms. */
async function probeHealth(fronts: readonly Part[], forMs: number): Promise<number> {
  const untilMs = performance.now() + forMs
  const tookMs: number[] = []
  while (performance.now() < untilMs) {
    for (const { baseUrl } of fronts) {
      const startedMs = performance.now()
      const response = await fetch(`${baseUrl}/v1/health/ready`)
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`a probe was answered ${response.status}`)
      tookMs.push(performance.now() - startedMs)
    }
    await sleep(50)
  }
  return tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length * 0.99)] ?? 0
}

const readMiB = async (fronts: readonly Part[]): Promise<number[]> =>
  await Promise.all(fronts.map(async (front) => (await front.readStatus()).rss_bytes / 2 ** 20))

/** F11: tables that dashboards read are locked until their connections are used up: dashboards are refused, and ingest continues. */
export const exhaustReads = (scene: Scene<MortalDatabase>): Promise<Result> =>
  under(scene, {}, async (load, faults) => {
    const { cluster, database } = scene
    const { accessToken, workspaceId } = await signUp(cluster.baseUrl)
    const look = async (): Promise<number> => {
      const url = `${cluster.baseUrl}/v1/workspaces/${workspaceId}/findings`
      const response = await fetch(url, { headers: { authorization: `Bearer ${accessToken}` } })
      await response.arrayBuffer()
      return response.status
    }
    const first = await look()
    if (first !== 200) faults.push(`findings were answered ${first} before`)
    const locker = new pg.Client({ connectionString: database.url })
    await locker.connect()
    try {
      await locker.query('begin')
      await locker.query('lock table findings in access exclusive mode')
      const before = load.answers['200'] ?? 0
      const looks = await Promise.all(Array.from({ length: 30 }, look))
      const refused = looks.filter((status) => status === 503).length
      if (refused < 20 || looks.some((status) => status !== 503 && status !== 200))
        faults.push(`of 30 reads ${refused} were answered 503: ${looks.join()}`)
      const stored = (load.answers['200'] ?? 0) - before
      if (stored < 10) faults.push(`only ${stored} batches were stored meanwhile`)
      return { refused, stored_meanwhile: stored }
    } finally {
      await locker.end()
      await until(async () => (await look()) === 200)
    }
  })

const diskMiB = 700
const ballast = 'ballast'

/** A database with a small disk; mounting one requires root. */
export const smallDisk: SceneOptions<MortalDatabase> = {
  openDatabase: () =>
    openMortalDatabase(
      (folder) => run('mount', ['-t', 'tmpfs', '-o', `size=${diskMiB}m`, 'tmpfs', folder]),
      (folder) => run('umount', ['-l', folder]),
    ),
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`)
}

/** F12: only stored spans are acknowledged, and once there is space again, everything continues without intervention. */
export const fillDisk = (scene: Scene<MortalDatabase>): Promise<Result> =>
  under(scene, { ingest: ['503'], reads: ['503'] }, async (load, faults) => {
    const { database } = scene
    const file = join(database.folder, ballast)
    await fill(file)
    await until(() => (load.answers['503'] ?? 0) > 0)
    await sleep(3_000)
    const isDown = !database.isRunning()
    rmSync(file)
    const freeAtMs = performance.now()
    // Restarts PostgreSQL if it has ended, as an operator does.
    if (isDown) {
      await database.kill()
      await database.revive()
    }
    const before = load.answers['200'] ?? 0
    await until(() => (load.answers['200'] ?? 0) > before)
    const backMs = performance.now() - freeAtMs
    return {
      refused: load.answers['503'] ?? 0,
      ended: Number(isDown),
      back_ms: limit(scene, faults, 'storing again', backMs, 30_000),
    }
  })

/** Writes until the disk is full. */
async function fill(path: string): Promise<void> {
  const stream = createWriteStream(path)
  const failed = once(stream, 'error').catch((error: unknown) => [error])
  const chunk = Buffer.alloc(2 ** 20)
  while (!stream.destroyed && !stream.errored) {
    if (!stream.write(chunk)) await Promise.race([once(stream, 'drain').catch(() => undefined), failed])
  }
  const [error] = (await failed) as NodeJS.ErrnoException[]
  if (error?.code !== 'ENOSPC') throw error
}
