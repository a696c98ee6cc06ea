// A client that reads dashboards all the time while something happens to the cluster.
import { setTimeout as sleep } from 'node:timers/promises'
import { inSoak } from '../_kit/soak.ts'
import { until } from '../_kit/until.ts'
import { lateMs } from './_load.ts'

export type Dashboards = {
  /** Answers by view and status; `broken` where there was none. */
  readonly answers: Readonly<Record<string, number>>
  /** How many of the 503 answers came after `lateMs`, by the same names. */
  readonly late: Readonly<Record<string, number>>
  /** Texts of the first few answers other than 200. */
  readonly said: readonly string[]
  /** Resolves when each view was requested anew and has answered. */
  readonly everyViewAnswered: () => Promise<void>
  stop(): Promise<void>
}

export type DashboardOptions = {
  readonly baseUrl: string
  readonly accessToken: string
  readonly workspaceIds: readonly string[]
  readonly onAnswer: (tookMs: number) => void
}

const views = ['stats/summary', 'traces?limit=20', 'events?limit=20', 'agents', 'decisions'] as const
const pauseMs = 200
/** While someone waits for answers. */
const awaitedPauseMs = inSoak(20, 200)
const answerMs = 30_000
/** A view that is answered 503 after `lateMs`, which a machine that stands still causes, is requested again. */
const mostTries = 5
const roundMs = 120_000

/** Starts to read at once. */
export function openDashboards({ baseUrl, accessToken, workspaceIds, onAnswer }: DashboardOptions): Dashboards {
  const answers: Record<string, number> = {}
  const late: Record<string, number> = {}
  const said: string[] = []
  let turns = 0
  let waiting = 0
  const stopping = new AbortController()
  const headers = { authorization: `Bearer ${accessToken}` }

  /** Returns whether the answer was a late 503. */
  async function look(workspaceId: string, view: string): Promise<boolean> {
    const askedAtMs = performance.now()
    const signal = AbortSignal.timeout(answerMs)
    const status = await fetch(`${baseUrl}/v1/workspaces/${workspaceId}/${view}`, { headers, signal })
      .then(async (response) => {
        const text = await response.text()
        if (response.status !== 200 && said.length < 5) said.push(`${view}: ${text.slice(0, 200)}`)
        return String(response.status)
      })
      // Also where only the body was not received.
      .catch((error: unknown) => {
        if (said.length < 5) said.push(`${view}: ${String(error)}`)
        return 'broken'
      })
    const tookMs = performance.now() - askedAtMs
    onAnswer(tookMs)
    const isLate = status === '503' && tookMs >= lateMs
    const name = `${view} ${status}`
    answers[name] = (answers[name] ?? 0) + 1
    if (isLate) late[name] = (late[name] ?? 0) + 1
    return isLate
  }

  async function lookAgain(workspaceId: string, view: string): Promise<void> {
    for (let tries = 1; (await look(workspaceId, view)) && tries < mostTries && !stopping.signal.aborted; tries += 1);
  }

  const looking = (async () => {
    for (; !stopping.signal.aborted; turns += 1) {
      await lookAgain(workspaceIds[turns % workspaceIds.length] ?? '', views[turns % views.length] ?? '')
      await sleep(waiting > 0 ? awaitedPauseMs : pauseMs)
    }
  })()
  return {
    answers,
    late,
    said,
    async everyViewAnswered() {
      // The request in flight was sent earlier, so it does not count.
      const enough = turns + views.length + 1
      waiting += 1
      await until(() => turns >= enough, roundMs).finally(() => {
        waiting -= 1
      })
    },
    async stop() {
      stopping.abort()
      await looking
    },
  }
}
