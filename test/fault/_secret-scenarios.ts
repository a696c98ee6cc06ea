// The secret of a cluster is changed by three rollouts of its fronts, under load, as deploy/docs/secrets.md says.
import { randomBytes } from 'node:crypto'
import { until } from '../_kit/until.ts'
import type { Scene } from './_scene.ts'
import { openSessions } from './_sessions.ts'
import { type Result, under } from './_under.ts'

/** F23: no request fails, no user has to sign in again, and cursors are valid until the last step. */
export const changeSecret = (scene: Scene): Promise<Result> =>
  under(scene, {}, async (_load, faults) => {
    const { cluster, database } = scene
    const was = cluster.fronts[0]?.setting('SECRET') ?? ''
    const is = randomBytes(32).toString('base64url')
    const sessions = await openSessions(cluster.baseUrl)

    async function rollOut(SECRET: string, SECRET_OTHER: string | undefined): Promise<void> {
      for (const front of cluster.fronts) {
        const code = await cluster.endInOrder(front)
        if (code !== 0) faults.push(`${front.name} ended with ${code ?? 'a signal'}`)
        front.change({ SECRET, SECRET_OTHER })
        await front.start()
        await cluster.settled()
        await sessions.answered()
      }
    }
    const readSeals = async (): Promise<string[]> =>
      (await database.query<{ seal: string }>(`select encode(sealed_secret, 'hex') as seal from sessions`)).map(
        ({ seal }) => seal,
      )

    try {
      const seals = new Set(await readSeals())
      await rollOut(was, is)
      if ((await readSeals()).some((seal) => !seals.has(seal))) faults.push('the first rollout sealed something anew')
      await rollOut(is, was)
      await until(async () => (await readSeals()).every((seal) => !seals.has(seal)))
      const refusedBefore = sessions.refusedCursors()
      if (refusedBefore > 0) faults.push(`${refusedBefore} cursors were refused while both secrets open`)
      await rollOut(is, undefined)
      faults.push(...sessions.oddities)
      const answered = Object.values(sessions.answers).reduce((sum, count) => sum + count, 0)
      return { answered, refused_cursors: sessions.refusedCursors() }
    } finally {
      await sessions.stop()
    }
  })
