// Upgrades from this release to the next and back, under load: migrate, then actors, then fronts, one at a time; then back in the same
// order on the new schema. Actors may keep the next release for later scenarios.
import { setTimeout as sleep } from 'node:timers/promises'
import { inSoak } from '../_kit/soak.ts'
import { until } from '../_kit/until.ts'
import type { Part } from '../cluster/_part.ts'
import { type Dashboards, openDashboards } from './_dashboards.ts'
import type { Load } from './_load.ts'
import { type NextRelease, type Release, runMigrateStep, thisRelease } from './_next-release.ts'
import { makeCompatibleRelease, makeMuteRelease } from './_releases.ts'
import type { Scene } from './_scene.ts'
import { openTimings } from './_timings.ts'
import { causesRefusals, expectFault, limit, type Result, under } from './_under.ts'

export type UpgradeOptions = {
  /** How long another transaction holds a table when the migration starts. */
  readonly holdMs?: number
  readonly calmMs?: number
  readonly parts?: (scene: Scene) => readonly Part[]
  /** Only fronts go back. Upgraded actors run the next release in later scenarios, which run on the new schema. */
  readonly keepsActors?: boolean
}

/** Makes the release, upgrades to it and back, and removes it. */
export const upgradeTo =
  (makeRelease: () => NextRelease, options: UpgradeOptions) =>
  async (scene: Scene): Promise<Result> => {
    const next = makeRelease()
    const isKept = options.keepsActors === true
    // The database goes with the cluster.
    if (isKept) scene.atEnd(next.remove)
    try {
      return await upgradeAndBack(next, options)(scene)
    } finally {
      if (!isKept) {
        await undo(scene, next)
        next.remove()
      }
    }
  }

/** Upgrades all parts, with a table locked for longer than one lock timeout of the migration. */
export const upgradeEverything = upgradeTo(makeCompatibleRelease, { holdMs: 7_000 })

/** The control for the check that fronts and actors understand each other. */
export async function upgradeToMute(scene: Scene): Promise<Result> {
  const parts = ({ cluster }: Scene): Part[] => cluster.fronts.slice(0, 1)
  const result = await upgradeTo(makeMuteRelease, { calmMs: 500, parts })(scene)
  return expectFault(result, /do not understand each other/)
}

const silenceMs = 12_000
const quietMs = 1_000
const mostEndMs = 25_000
/** main.ts ends the process by force this long after requests had their time to end. */
const givenUpAfterMs = 10_000
const everyPart = ({ cluster }: Scene): readonly Part[] => [...cluster.actors, ...cluster.fronts]

/** F15 to F18. Throws if clients are failed. */
const upgradeAndBack =
  (next: NextRelease, { holdMs = 0, calmMs = 3_000, parts = everyPart, keepsActors = false }: UpgradeOptions = {}) =>
  async (scene: Scene): Promise<Result> => {
    const timings = openTimings()
    return await under(
      scene,
      { ingest: ['503'] },
      async (load, faults) => {
        const { accessToken, tenants } = load
        const workspaceIds = tenants.map(({ workspaceId }) => workspaceId)
        const { baseUrl } = scene.cluster
        const onAnswer = (tookMs: number): void => timings.add('dashboards', tookMs)
        const dashboards = openDashboards({ baseUrl, accessToken, workspaceIds, onAnswer })
        const watch = { scene, load, dashboards }
        try {
          await sleep(calmMs)
          timings.begin('migrate')
          const migrateMs = await migrateBesideHolder(scene, next, holdMs)
          await dashboards.everyViewAnswered()
          throwWhereFailed('the migration', watch)
          timings.begin('forward')
          for (const part of parts(scene)) await roll(watch, part, next, faults)
          faults.push(...(await listStrangers(scene, parts(scene), next)))
          timings.begin('back')
          const kept = new Set(parts(scene).filter(({ role }) => keepsActors && role === 'actor'))
          const others = (all: readonly Part[]): Part[] => all.filter((part) => !kept.has(part))
          for (const part of others(parts(scene))) await roll(watch, part, thisRelease, faults)
          faults.push(...(await listStrangers(scene, others(everyPart(scene)), thisRelease)))
          const step = await runMigrateStep(thisRelease, scene.database.url)
          if (step.code !== 0 || !step.written.includes('no migration is needed'))
            faults.push(`going back said ${step.written}`)
          return { migrate_ms: Math.round(migrateMs), ...count(load, dashboards.answers), ...timings.tell() }
        } finally {
          await dashboards.stop()
        }
      },
      // Most of them have a quota, so that fronts ask actors for it all the time.
      { onAnswer: timings.add, capped: inSoak(2, 3), room: 40_000, senders: inSoak(2, 4) },
    )
  }

async function migrateBesideHolder({ database }: Scene, next: NextRelease, holdMs: number): Promise<number> {
  const holding = holdMs > 0 ? database.query(`select count(*), pg_sleep(${holdMs / 1_000}) from traces limit 1`) : null
  const { code, written, tookMs } = await runMigrateStep(next, database.url)
  if (code !== 0) throw new Error(`the migrate step ended with ${code}: ${written}`)
  await holding
  return tookMs
}

/**
 * F18: the part drains and ends successfully and in time; its replacement is ready before the next part ends. Throws if clients were
 * failed.
 */
async function roll(watch: Watch, part: Part, release: Release, faults: string[]): Promise<void> {
  const { cluster } = watch.scene
  const toldAtMs = performance.now()
  const code = await cluster.endInOrder(part)
  const tookMs = performance.now() - toldAtMs
  // A stop that takes this much longer than the wait for requests is given up, which a machine that stands still causes.
  const isGivenUp = code === 1 && watch.scene.still.totalMs() >= givenUpAfterMs
  if (code !== 0 && !isGivenUp) faults.push(`${part.name} ended with ${code ?? 'a signal'}`)
  if (tookMs > mostEndMs) faults.push(`${part.name} took ${Math.round(tookMs)} ms to end`)
  part.moveTo(release)
  await part.start()
  await cluster.settled()
  const understood = until(async () => await isUnderstood(cluster.fronts)).catch(() =>
    faults.push(`after ${part.name} came at ${release.version}, fronts and actors do not understand each other`),
  )
  await Promise.all([understood, watch.dashboards.everyViewAnswered()])
  throwWhereFailed(`${part.name} came at ${release.version}`, watch)
}

/** Returns whether no front had to do without an actor for a while, though the load needs quota all the time. */
async function isUnderstood(fronts: readonly Part[]): Promise<boolean> {
  const before = await countFallbacks(fronts)
  await sleep(quietMs)
  return before !== null && (await countFallbacks(fronts)) === before
}

/** Returns null if a front does not answer, whose connection may have ended while the machine stood still. */
async function countFallbacks(fronts: readonly Part[]): Promise<number | null> {
  const read = async (front: Part): Promise<string> => await (await fetch(`${front.metricsUrl}/metrics`)).text()
  const pages = await Promise.all(fronts.map(read)).catch(() => null)
  if (pages === null) return null
  const counts = pages.flatMap((page) => [...page.matchAll(/^tracewright_fallback_total\{[^}]*\} (\d+)$/gm)])
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}

type Watch = {
  readonly scene: Scene
  readonly load: Load
  readonly dashboards: Dashboards
}

/** Checks early, since a service that fails its clients may never become quiet. */
function throwWhereFailed(after: string, { scene, load, dashboards }: Watch): void {
  const isExcused = causesRefusals(scene.still.totalMs())
  const failed = [
    ...Object.entries(load.answers).filter(([status]) => !['200', '503'].includes(status)),
    // A read that waited as long as it may is what a machine that stands still causes. The check after the scenario decides whether it did.
    ...Object.entries({ ...load.reads, '503': (load.reads['503'] ?? 0) - load.late.reads }).filter(
      ([status, times]) => !['200', '304'].includes(status) && times > 0,
    ),
    ...Object.entries(dashboards.answers)
      .map(([name, times]) => [name, isExcused ? times - (dashboards.late[name] ?? 0) : times] as const)
      .filter(([name, times]) => !name.endsWith(' 200') && times > 0),
  ].map(([what, times]) => `${what} ${times} times`)
  limit(scene, failed, 'an acknowledgement', load.longestSilenceMs(), silenceMs)
  if (failed.length > 0)
    throw new Error(`after ${after} clients were failed: ${[...failed, ...load.said, ...dashboards.said].join('; ')}`)
}

/**
 * Lists parts that do not report the version of the release, and actors that do not hear all members. Tries repeatedly, since a busy
 * machine may delay a heartbeat.
 */
async function listStrangers(scene: Scene, parts: readonly Part[], release: Release): Promise<string[]> {
  let strange: readonly string[] = []
  const hasNone = async (): Promise<boolean> => {
    strange = await lookForStrangers(scene, parts, release).catch((error: unknown) => [String(error)])
    return strange.length === 0
  }
  await until(hasNone).catch(() => undefined)
  return [...strange]
}

async function lookForStrangers({ cluster }: Scene, parts: readonly Part[], { version }: Release): Promise<string[]> {
  const strange: string[] = []
  for (const part of parts) {
    const metrics = await (await fetch(`${part.metricsUrl}/metrics`)).text()
    if (!metrics.includes(`tracewright_info{version="${version}"`)) strange.push(`${part.name} is not ${version}`)
    const { actor } = await part.readStatus()
    const live = actor?.members.filter((member) => member.live).length
    if (actor !== null && live !== cluster.actors.length) strange.push(`${part.name} hears ${live} actors`)
  }
  return strange
}

function count(load: Load, seen: Readonly<Record<string, number>>): Record<string, number> {
  const sum = (counts: Readonly<Record<string, number>>): number =>
    Object.values(counts).reduce((all, one) => all + one, 0)
  return {
    ingest_200: load.answers['200'] ?? 0,
    ingest_503: load.answers['503'] ?? 0,
    rules: sum(load.reads),
    views: sum(seen),
  }
}

/** Restores the database for the next scenario. */
async function undo({ database }: Scene, { migrations }: NextRelease): Promise<void> {
  const names = migrations.map((name) => `'${name}'`).join(', ')
  const gone = await database.query(`delete from schema_migrations where name in (${names}) returning name`)
  if (gone.length === 0) return
  await database.query('drop index if exists traces_by_region')
  await database.query('drop table if exists regions')
  await database.query('alter table events drop column if exists region')
  await database.query('alter table traces drop column if exists region, drop column if exists region_checked_at')
  const [renamed] = await database.query(
    `select from pg_attribute where attrelid = 'traces'::regclass and attname = 'title'`,
  )
  if (renamed !== undefined) await database.query('alter table traces rename column title to name')
}
