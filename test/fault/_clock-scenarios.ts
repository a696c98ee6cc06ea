// Wall clocks: wrong clocks of single processes, and a database clock by which the month ends during a load.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { signUp } from '../_kit/sign-up.ts'
import { until } from '../_kit/until.ts'
import { type MortalDatabase, openMortalDatabase } from './_database.ts'
import { openExporter } from './_exporter.ts'
import type { Mutation } from './_mutant.ts'
import { freezeShortly, killOwner } from './_process-scenarios.ts'
import type { Scene, SceneOptions } from './_scene.ts'
import { type Result, under } from './_under.ts'

const tenMinutesMs = 600_000

/** Ownership uses no wall clock, so each clock may be wrong by any amount. */
export const skewed: SceneOptions<MortalDatabase> = {
  skews: { 'actor-1': tenMinutesMs, 'actor-2': -tenMinutesMs, 'front-2': tenMinutesMs },
}

/** I1-I7, as with correct clocks. */
export async function killAndFreezeSkewed(scene: Scene): Promise<Result> {
  const paused = await freezeShortly(scene)
  const killed = await killOwner(scene)
  return {
    faults: [...paused.faults, ...killed.faults],
    figures: { ...killed.figures, pause_ms: paused.figures['gap_ms'] ?? 0 },
  }
}

// Every statement that decides on the month asks the database for the time; in each of these, the clock is shifted.
const asking = [
  'actors/read-quota',
  'ingest/add-outcomes',
  'ingest/add-rejections',
  'ingest/lock-usage-month',
  'ingest/note-dropped',
  'ingest/read-usage-month',
  'workspaces/read-bootstrap',
]
const from = 'now() at time zone'

function shiftEach(name: string): Mutation[] {
  const file = `sql/query/${name}.sql`
  const times = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split(from).length - 1
  return Array.from({ length: times }, () => ({ file, from, to: 'shifted_clock() at time zone' }))
}

const clock = `
  create table clock_shift (by interval not null);
  insert into clock_shift values (interval '0');
  create function shifted_clock() returns timestamptz stable language sql as 'select now() + by from clock_shift';`

/** The clock of this database can be moved forward. Like a real one it stands still within a transaction. */
export const shifting: SceneOptions<MortalDatabase> = {
  mutations: asking.flatMap(shiftEach),
  openDatabase: async () => {
    const database = await openMortalDatabase()
    await database.query(clock)
    return database
  },
}

const quota = 50_000
const room = 1_000
const rollsInS = 4

/** I1 for each of the two months: the used quota is free again, and each span counts in exactly one month. */
export const rollOverMonth = (scene: Scene): Promise<Result> =>
  under(
    scene,
    {},
    async (_load, faults) => {
      const { cluster, database } = scene
      const { key, workspaceId } = await signUp(cluster.baseUrl)
      await database.query(`update workspaces set plan = 'free' where id = $1`, [workspaceId])
      // Moves the clock within the current month, to just before its end.
      await database.query(
        `update clock_shift set by = date_trunc('month', shifted_clock() at time zone 'UTC') at time zone 'UTC'
         + interval '1 month' - now() - interval '${rollsInS} seconds'`,
      )
      await database.query(
        `insert into usage_months (workspace_id, month, accepted)
         values ($1, date_trunc('month', shifted_clock() at time zone 'UTC')::date, $2)`,
        [workspaceId, quota - room],
      )
      const exporter = openExporter(key)
      exporter.send(cluster.baseUrl, 4)
      const readMonths = async (): Promise<number[]> =>
        (
          await database.query<{ accepted: number }>(
            'select accepted::int as accepted from usage_months where workspace_id = $1 order by month',
            [workspaceId],
          )
        ).map(({ accepted }) => accepted)
      await until(async () => (await readMonths()).length === 2)
      await sleep(1_000)
      await exporter.pause()
      await exporter.drain(cluster.baseUrl)
      const [before = 0, after = 0] = await readMonths()
      const [row] = await database.query<{ events: number; dropped: number }>(
        `select (select count(*)::int from events where workspace_id = $1) as events,
           (select coalesce(sum(dropped_quota), 0)::int from usage_months where workspace_id = $1) as dropped`,
        [workspaceId],
      )
      const { events = 0, dropped = 0 } = row ?? {}
      if (before > quota || after > quota) faults.push(`a month has ${before}, the next ${after}: more than ${quota}`)
      if (after === 0) faults.push('nothing was accepted in the new month')
      const counted = before - (quota - room) + after
      if (counted !== events) faults.push(`${counted} spans were counted in two months and ${events} are stored`)
      if (events + dropped !== exporter.acknowledged.size)
        faults.push(`${exporter.acknowledged.size} acknowledged, ${events} stored, ${dropped} dropped`)
      faults.push(...exporter.oddities)
      return { before: before - (quota - room), after, dropped }
    },
    { capped: 0 },
  )
