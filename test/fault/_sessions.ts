// Signed-in users while something is done to the service: they read with a token from before, refresh repeatedly, and page with a cursor
// from before. Every answer that they should not have got is remembered.
import { setTimeout as sleep } from 'node:timers/promises'
import { signUp, type Tenant } from '../_kit/sign-up.ts'
import { encodeRequest, makeTraceSpans } from '../_kit/spans.ts'
import { post } from '../ingest/_http.ts'

export type Sessions = {
  /** Answers that no client may get: anything but 200, and 503 with Retry-After. */
  readonly oddities: readonly string[]
  /** Answers with 200, by kind of request. */
  readonly answers: Readonly<Record<string, number>>
  /** Cursors that were refused with 422, so that the reader had to start again. */
  refusedCursors(): number
  /** Directs later requests to a new address of the service. */
  move(baseUrl: string): void
  /** Resolves when each user has got new answers to each kind of request. */
  answered(): Promise<void>
  stop(): Promise<void>
}

// Four loops of each user run at once: some request is in flight most of the time, and the service has the machine to restart.
const pauseMs = 150
const traces = 3
const answeredDeadlineMs = 60_000

/** Signs `people` users up. Resolves when they run. */
export async function openSessions(startUrl: string, people = 3): Promise<Sessions> {
  let baseUrl = startUrl
  const oddities: string[] = []
  const answers: Record<string, number> = {}
  /** The same counts by user and kind of request. */
  const answersOf = new Map<string, number>()
  const stopping = new AbortController()
  let refusedCursors = 0

  /** Returns null if the service is away; the request is repeated then. */
  async function ask(
    who: Tenant,
    what: string,
    path: string,
    token: string,
    body?: object,
  ): Promise<{ json: unknown } | null> {
    const response = await fetch(baseUrl + path, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    }).catch(() => null)
    const text = await response?.text().catch(() => null)
    if (response === null || text == null || response.status === 503) return null
    const isRefusedCursor = what === 'page' && response.status === 422 && text.includes('"cursor"')
    if (isRefusedCursor) refusedCursors += 1
    else if (response.status === 200) {
      const own = nameOf(what, who)
      answers[what] = (answers[what] ?? 0) + 1
      answersOf.set(own, (answersOf.get(own) ?? 0) + 1)
    } else oddities.push(`${what}: ${response.status} ${text.slice(0, 120)}`)
    return { json: isRefusedCursor ? null : (JSON.parse(text) as unknown) }
  }

  async function repeat(turn: () => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      await turn()
      await sleep(pauseMs)
    }
  }

  function use(who: Tenant): Promise<void>[] {
    const { key, workspaceId, accessToken } = who
    let { refreshToken } = who
    let cursor: string | null = null
    const page = `/v1/workspaces/${workspaceId}/traces?limit=1`
    return [
      repeat(async () => void (await ask(who, 'token of before', '/v1/auth/me', accessToken))),
      repeat(async () => void (await ask(who, 'key', '/v1/apply/rules', key))),
      repeat(async () => {
        const answer = await ask(who, 'refresh', '/v1/auth/refresh', '', { refresh_token: refreshToken })
        const next = answer?.json as { access_token?: string; refresh_token?: string } | undefined
        if (next?.refresh_token === undefined || next.access_token === undefined) return
        refreshToken = next.refresh_token
        await ask(who, 'token of now', '/v1/auth/me', next.access_token)
      }),
      repeat(async () => {
        const answer = await ask(who, 'page', cursor === null ? page : `${page}&cursor=${cursor}`, accessToken)
        // The first cursor is used repeatedly.
        if (answer !== null) cursor = answer.json === null ? null : (cursor ?? readCursor(answer.json))
      }),
    ]
  }

  const everybody: Tenant[] = []
  for (let nth = 1; nth <= people; nth += 1) {
    const person = await signUp(baseUrl)
    for (let trace = 1; trace <= traces; trace += 1)
      await post({ baseUrl, key: person.key }, encodeRequest(makeTraceSpans(1, () => ({}))))
    everybody.push(person)
  }
  const running = everybody.flatMap(use)

  return {
    oddities,
    answers,
    refusedCursors: () => refusedCursors,
    move(elsewhere) {
      baseUrl = elsewhere
    },
    async answered() {
      const before = new Map(answersOf)
      const untilMs = performance.now() + answeredDeadlineMs
      const ways = ['token of before', 'token of now', 'refresh', 'page', 'key']
      const all = everybody.flatMap((who) => ways.map((way) => nameOf(way, who)))
      // Two answers, since the first may belong to an earlier request.
      while (all.some((own) => (answersOf.get(own) ?? 0) < (before.get(own) ?? 0) + 2)) {
        if (performance.now() > untilMs) throw new Error(`not answered in time: ${JSON.stringify(answers)}`)
        await sleep(pauseMs)
      }
    },
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

const nameOf = (what: string, { workspaceId }: Tenant): string => `${what} of ${workspaceId}`

const readCursor = (json: unknown): string | null => (json as { next_cursor: string | null }).next_cursor
