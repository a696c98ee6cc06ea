// The database hangs: all of its processes stop, and every connection stays open and does not answer.
import { setTimeout as sleep } from 'node:timers/promises'
import { watchStandstill } from '../_kit/standstill.ts'
import { until } from '../_kit/until.ts'
import type { Part } from '../cluster/_part.ts'
import { postOnce } from '../ingest/_http.ts'
import type { MortalDatabase } from './_database.ts'
import type { Load } from './_load.ts'
import type { Mutation } from './_mutant.ts'
import type { Scene, SceneOptions } from './_scene.ts'
import { makeNew, type Tenant } from './_tenants.ts'
import { limit, listMoved, type Result, readCalmEpochs, under } from './_under.ts'

// The control runs beside the tested fronts, and waits for the database although it holds rules.
const control = 'front-3'
const waits: Mutation = {
  file: 'src/serving/rules-cache.ts',
  from: 'rulesTimeouts: RulesTimeouts = { oldMs: 200,',
  to: 'rulesTimeouts: RulesTimeouts = { oldMs: 2_000,',
  member: control,
}

export const hanging: SceneOptions<MortalDatabase> = { fronts: 3, mutations: [waits] }

/** Longer than a key is valid without the database (30 s). */
const hangsForMs = 35_000
/** Limit for a request of rules that are in memory. */
const promisedMs = 300
/** A key may have been revoked until all members have reported that the database is away (cluster design, section 6). */
const longestDoubtMs = 1_000
/** Cached facts of a workspace are valid for 5 s. After that, ingest reads them first, and is refused after 2 s. */
const factsLastMs = 5_000
const refusedWithinMs = 2_300
const sendEveryMs = 1_000
const askEveryMs = 100
/** The longest time for which rules in memory count as fresh without a read of the database. */
const freshForS = 5

/**
 * One request. `moreMs` is its time beyond that of a simultaneous request to the same front that needs no work, and beyond the standstill
 * of this process.
 */
type Answer = {
  readonly key: string
  readonly atMs: number
  readonly status: number
  readonly ageS: number
  readonly tookMs: number
  readonly moreMs: number
}

/**
 * Rules are served from memory, each with its age, and are not refused when the database is back either; ingest is refused; afterwards nothing
 * is lost or doubled, and no partition has changed hands. A batch whose commit is in progress is answered when the database is back: until then
 * it is not known whether it is stored.
 */
export async function hangDatabase(scene: Scene<MortalDatabase>): Promise<Result> {
  const { cluster, database } = scene
  const act = async (load: Load, faults: string[]): Promise<Record<string, number>> => {
    const epochs = await readCalmEpochs(scene)
    for (const front of cluster.fronts) for (const { key } of load.tenants) await ask(front, key)
    database.freeze()
    const hungAtMs = performance.now()
    const asking = cluster.fronts.map((front) => askOften(front, load.tenants))
    try {
      const refusedMs = await sendWhileHanging(cluster.fronts.slice(0, -1), load, faults, hungAtMs)
      const before = load.answers['200'] ?? 0
      database.thaw()
      const upAtMs = performance.now()
      await until(() => (load.answers['200'] ?? 0) > before)
      const backMs = performance.now() - upAtMs
      // A front may also refuse requests while it recovers.
      for (const front of cluster.fronts) await until(async () => await isFresh(front, load.tenants))
      const answers = await Promise.all(asking.map((one) => one.finish()))
      faults.push(...(await listMoved(scene, epochs)))
      const whileHung = ({ atMs }: Answer): boolean => atMs < upAtMs
      const tested = answers.slice(0, -1).flat().filter(whileHung)
      const controlMs = Math.max(...(answers.at(-1) ?? []).filter(whileHung).map(({ moreMs }) => moreMs))
      if (controlMs <= promisedMs) faults.push('the control found nothing')
      return {
        ...judgeAnswers(faults, tested, { hungAtMs, upAtMs }),
        doubt_ms: judgeRefusals(scene, faults, answers.slice(0, -1)),
        rules_ms: Math.round(Math.max(...tested.map(({ tookMs }) => tookMs))),
        control_ms: Math.round(controlMs),
        refused_ms: limit(scene, faults, 'refusing ingest', refusedMs, refusedWithinMs),
        back_ms: Math.round(backMs),
      }
    } finally {
      for (const one of asking) one.stop()
    }
  }
  return await under(scene, { ingest: ['503'], reads: ['503'] }, act)
}

const isFresh = async (front: Part, tenants: readonly Tenant[]): Promise<boolean> =>
  (await Promise.all(tenants.map(({ key }) => ask(front, key)))).every(
    ({ status, ageS }) => status === 200 && ageS === 0,
  )

/** Sends until the database has hung for its full time. Returns how long the slowest refusal took. */
async function sendWhileHanging(
  fronts: readonly Part[],
  { tenants }: Load,
  faults: string[],
  hungAtMs: number,
): Promise<number> {
  const open: Promise<number>[] = []
  await sleep(factsLastMs + sendEveryMs)
  for (let turn = 0; performance.now() < hungAtMs + hangsForMs - refusedWithinMs; turn += 1) {
    const [front, tenant] = [fronts[turn % fronts.length], tenants[turn % tenants.length]]
    if (front !== undefined && tenant !== undefined) open.push(sendInVain(front, tenant, faults))
    await sleep(sendEveryMs)
  }
  await sleep(hungAtMs + hangsForMs - performance.now())
  return Math.max(...(await Promise.all(open)))
}

/** Sends a batch that will be refused; its client keeps it and sends it again. */
async function sendInVain({ baseUrl }: Part, tenant: Tenant, faults: string[]): Promise<number> {
  const batch = makeNew(tenant)
  const sentAtMs = performance.now()
  const { status, headers } = await postOnce({ baseUrl, key: tenant.key }, batch.body)
  tenant.left.push(batch)
  if (status !== 503 || !headers.has('retry-after'))
    faults.push(`ingest was answered ${status} by a front without a database`)
  return performance.now() - sentAtMs
}

type Hang = { readonly hungAtMs: number; readonly upAtMs: number }

/** Judges the answers of the tested fronts to the requests that were sent while the database hung. */
function judgeAnswers(faults: string[], all: readonly Answer[], { hungAtMs, upAtMs }: Hang) {
  const more = Math.round(Math.max(...all.map(({ moreMs }) => moreMs)))
  if (more > promisedMs) faults.push(`rules in memory took ${more} ms`)
  const young = all.filter(({ atMs, tookMs, status, ageS }) => {
    const hungForS = (atMs - hungAtMs) / 1_000
    return status === 200 && hungForS > freshForS && atMs + tookMs < upAtMs && ageS < hungForS
  })
  if (young.length > 0) faults.push(`${young.length} rules said that they were younger than they were`)
  return { rules_more_ms: more, age_s: Math.max(...all.map(({ ageS }) => ageS)) }
}

/** Judges all answers of the tested fronts, also those after the database is back. */
const judgeRefusals = (scene: Scene, faults: string[], fronts: readonly Answer[][]): number =>
  limit(scene, faults, 'rules without an answer', Math.max(...fronts.map(findDoubtMs)), longestDoubtMs)

type Judged = Pick<Answer, 'key' | 'atMs' | 'status' | 'tookMs'>

/** Returns the longest time in which one of the keys had no rules, of answers of one front in the order of their requests. */
export const findDoubtMs = (answers: readonly Judged[]): number =>
  Math.max(0, ...[...Map.groupBy(answers, ({ key }) => key).values()].map(findDoubtOfOneMs))

/** A time without rules lasts from a refused request until the next one that is not refused is answered, or until the last refusal before that. */
function findDoubtOfOneMs(answers: readonly Judged[]): number {
  let [longestMs, sinceMs, refusedAtMs] = [0, Number.NaN, 0]
  for (const { atMs, status, tookMs } of answers) {
    if (status === 200) {
      longestMs = Math.max(longestMs, Math.min(refusedAtMs, atMs + tookMs) - sinceMs || 0)
      sinceMs = Number.NaN
    } else {
      if (Number.isNaN(sinceMs)) [sinceMs, refusedAtMs] = [atMs, 0]
      refusedAtMs = Math.max(refusedAtMs, atMs + tookMs)
    }
  }
  return Math.max(longestMs, refusedAtMs - sinceMs || 0)
}

async function ask(
  { baseUrl }: Pick<Part, 'baseUrl'>,
  key: string,
): Promise<{ readonly status: number; readonly ageS: number }> {
  const response = await fetch(`${baseUrl}/v1/apply/rules`, { headers: { authorization: `Bearer ${key}` } })
  await response.arrayBuffer()
  return { status: response.status, ageS: Number(response.headers.get('age') ?? 0) }
}

/** Sends requests continuously, without waiting for answers, until either function is called. */
export function askOften(front: Pick<Part, 'baseUrl'>, tenants: readonly Pick<Tenant, 'key'>[]) {
  const open: Promise<Answer>[] = []
  const standstill = watchStandstill()
  async function askOnce(key: string): Promise<Answer> {
    const atMs = performance.now()
    const stillMs = standstill.totalMs()
    const live = fetch(`${front.baseUrl}/v1/health/live`).then(async (response) => {
      await response.arrayBuffer()
      return performance.now() - atMs
    })
    const asked = ask(front, key).then((answer) => ({
      ...answer,
      tookMs: performance.now() - atMs,
      stoodMs: standstill.totalMs() - stillMs,
    }))
    const [liveMs, { status, ageS, tookMs, stoodMs }] = await Promise.all([live, asked])
    return { key, atMs, status, ageS, tookMs, moreMs: tookMs - Math.max(liveMs, stoodMs) }
  }
  let turn = 0
  const timer = setInterval(() => {
    turn += 1
    const answer = askOnce(tenants[turn % tenants.length]?.key ?? '')
    // A failure is kept for `finish`.
    answer.catch(() => undefined)
    open.push(answer)
  }, askEveryMs)
  return {
    /** Resolves to the answers in the order of the requests; rejects if a request was not answered. */
    async finish(): Promise<Answer[]> {
      clearInterval(timer)
      return await Promise.all(open)
    },
    /** Does not wait for answers. */
    stop(): void {
      clearInterval(timer)
      standstill.stop()
    },
  }
}
