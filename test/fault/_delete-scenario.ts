// A workspace is deleted while it ingests through two fronts.

import { signUp } from '../_kit/sign-up.ts'
import { encodeRequest, makeTraceSpans } from '../_kit/spans.ts'
import { until } from '../_kit/until.ts'
import { postOnce } from '../ingest/_http.ts'
import type { MortalDatabase } from './_database.ts'
import type { Scene, SceneOptions } from './_scene.ts'
import { limit, type Result, under } from './_under.ts'

// The purge normally waits for two minutes, and for its turn, before it begins.
export const purgingSoon: SceneOptions<MortalDatabase> = {
  mutations: [
    { file: 'src/workspaces/purge.ts', from: 'settleMs = 120_000', to: 'settleMs = 2_000' },
    { file: 'src/workspaces/purge.ts', from: 'tickMs = 60_000', to: 'tickMs = 500' },
  ],
}

/** F21: no front accepts its key any more, and later no table has a row of it, even if requests arrived late. */
export const deleteWhileIngesting = (scene: Scene): Promise<Result> =>
  under(scene, {}, async (_load, faults) => {
    const { cluster, database } = scene
    const { accessToken, key, workspaceId } = await signUp(cluster.baseUrl)
    const stopping = new AbortController()
    const answers = new Map<number, number>()
    let lastTakenMs = 0
    const send = async (at: number): Promise<void> => {
      const front = cluster.fronts[at % cluster.fronts.length]
      while (!stopping.signal.aborted) {
        const { status } = await postOnce({ baseUrl: front?.baseUrl ?? '', key }, encodeRequest(makeTraceSpans(20)))
        answers.set(status, (answers.get(status) ?? 0) + 1)
        if (status === 200) lastTakenMs = performance.now()
      }
    }
    const senders = Array.from({ length: 4 }, async (_, at) => await send(at))
    await until(() => (answers.get(200) ?? 0) > 20)
    const headers = { authorization: `Bearer ${accessToken}` }
    const response = await fetch(`${cluster.baseUrl}/v1/workspaces/${workspaceId}`, { method: 'DELETE', headers })
    if (!response.ok) faults.push(`deleting was answered ${response.status}`)
    const deletedAtMs = performance.now()
    await until(() => (answers.get(401) ?? 0) > 50, 20_000)
    const isPurged = async (): Promise<boolean> =>
      (await database.query('select from workspaces where id = $1 and purged_at is not null', [workspaceId])).length > 0
    await until(isPurged)
    stopping.abort()
    await Promise.all(senders)
    for (const status of answers.keys())
      if (![200, 401, 503].includes(status)) faults.push(`ingest of the deleted workspace was answered ${status}`)
    const tables = await database.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
       where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`,
    )
    for (const { name } of tables)
      if ((await database.query(`select from ${name} where workspace_id = $1 limit 1`, [workspaceId])).length > 0)
        faults.push(`there are rows of the deleted workspace in ${name}`)
    const taken = Math.max(0, lastTakenMs - deletedAtMs)
    return { tables: tables.length, taken_ms: limit(scene, faults, 'taking what is sent to it', taken, 1_000) }
  })
