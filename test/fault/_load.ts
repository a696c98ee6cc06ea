// The client load on a cluster while something fails: it sends new spans, repeats unacknowledged ones, and reads rules. It remembers the
// acknowledged spans and every answer that no client may see.
import { setTimeout as sleep } from 'node:timers/promises'
import { inSoak } from '../_kit/soak.ts'
import { postOnce, type Reply } from '../ingest/_http.ts'
import type { Query } from './_database.ts'
import { type Batch, makeNew, openTenants, type Tenant } from './_tenants.ts'

export type Load = {
  readonly tenants: readonly Tenant[]
  /** Each of these may store `room` more spans this month; the others have no quota. */
  readonly capped: readonly Tenant[]
  readonly room: number
  /** Answers to ingest by status; `broken` where there was none. */
  readonly answers: Readonly<Record<string, number>>
  readonly reads: Readonly<Record<string, number>>
  /** Number of 503 answers that came after `lateMs`. */
  readonly late: { readonly ingest: number; readonly reads: number }
  /** Access token of the owner of the workspaces. */
  readonly accessToken: string
  /** Texts of the first refused reads. */
  readonly said: readonly string[]
  /** Restarts the measurement of silences. */
  reset(): void
  /** The longest time in which no batch was acknowledged. */
  longestSilenceMs(): number
  /** The same for each workspace. */
  longestGapsMs(): readonly number[]
  /** The longest time in which no read of rules succeeded, also if it still lasts. */
  longestReadSilenceMs(): number
  /** Stops, then sends the remaining batches until all of them are acknowledged. */
  finish(): Promise<void>
  /** Stops without sending the remaining batches. */
  stop(): Promise<void>
}

export type LoadOptions = {
  readonly baseUrl: string
  readonly query: Query
  readonly room?: number
  /** 2 by default. Where the fault is to hit requests in flight, 4. */
  readonly senders?: number
  /** If above 1, each batch is sent this many times at once, to the fronts in turn. */
  readonly copies?: number
  /** Number of sending workspaces, and of capped ones among them. */
  readonly workspaces?: number
  readonly capped?: number
  /** All senders use the same workspace at the same time, without a pause. */
  readonly isRace?: boolean
  /** Receives the time of each answer. */
  readonly onAnswer?: (what: 'ingest' | 'rules', tookMs: number) => void
}

const usualWorkspaces = inSoak(3, 5)
const pauseMs = 300
const againMs = 100
const raceMs = 300
const quota = 50_000
const finishDeadlineMs = 60_000
/**
 * The shortest wait after which a machine that stands still causes a refusal: PostgreSQL ends a transaction of ingest that is idle for so
 * long. Ingest waits longer for a connection, and a read of rules for those that a front does not hold.
 */
export const lateMs = 1_500

/** Resolves when the load runs. */
export async function openLoad(options: LoadOptions): Promise<Load> {
  const { baseUrl, room = 2_000, senders = 2, copies = 1, workspaces = usualWorkspaces, isRace = false } = options
  const { tenants, accessToken } = await openTenants(baseUrl, workspaces)
  const capped = tenants.slice(tenants.length - (options.capped ?? 1))
  const ids = capped.map(({ workspaceId }) => workspaceId)
  await options.query(`update workspaces set plan = 'free' where id = any($1)`, [ids])
  await options.query(
    `insert into usage_months (workspace_id, month, accepted)
     select id, date_trunc('month', now() at time zone 'UTC')::date, $2 from unnest($1::uuid[]) as id`,
    [ids, quota - room],
  )
  const answers: Record<string, number> = {}
  const reads: Record<string, number> = {}
  const late = { ingest: 0, reads: 0 }
  const said: string[] = []
  const stopping = new AbortController()
  const sinceOf = new Map<Tenant, { lastMs: number; gapMs: number }>()
  let lastMs = performance.now()
  let silenceMs = 0
  const watchEach = (): void => {
    for (const tenant of tenants) sinceOf.set(tenant, { lastMs, gapMs: 0 })
  }
  watchEach()
  let lastReadMs = performance.now()
  let readSilenceMs = 0

  async function sendOne(tenant: Tenant, batch: Batch): Promise<boolean> {
    const sentAtMs = performance.now()
    const isLate = (): boolean => performance.now() - sentAtMs >= lateMs
    const tries = Array.from({ length: copies }, async () => {
      const reply = await postOnce({ baseUrl, key: tenant.key }, batch.body).catch(() => null)
      if (reply?.status === 503 && isLate()) late.ingest += 1
      return reply
    })
    const replies = await Promise.all(tries)
    options.onAnswer?.('ingest', performance.now() - sentAtMs)
    for (const reply of replies) count(answers, reply === null ? 'broken' : nameReply(reply))
    if (!replies.some((reply) => reply?.status === 200 && reply.rejected === 0)) {
      tenant.left.push(batch)
      return false
    }
    for (const id of batch.spanIds) tenant.acknowledged.add(id)
    silenceMs = Math.max(silenceMs, performance.now() - lastMs)
    lastMs = performance.now()
    const since = sinceOf.get(tenant)
    if (since !== undefined) sinceOf.set(tenant, { lastMs, gapMs: Math.max(since.gapMs, lastMs - since.lastMs) })
    return true
  }

  async function send(from: number): Promise<void> {
    for (let turn = from; !stopping.signal.aborted; turn += 1) {
      const place = isRace ? Math.floor(performance.now() / raceMs) : turn
      const tenant = tenants[place % tenants.length] as Tenant
      const isTaken = await sendOne(tenant, tenant.left.shift() ?? makeNew(tenant))
      if (!isTaken || !isRace) await sleep(isTaken ? pauseMs : againMs)
    }
  }

  async function read(): Promise<void> {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const { key } = tenants[turn % tenants.length] as Tenant
      const askedAtMs = performance.now()
      const status = await fetch(`${baseUrl}/v1/apply/rules`, { headers: { authorization: `Bearer ${key}` } }).then(
        async (response) => {
          const text = await response.text()
          if (response.status !== 200 && said.length < 5) said.push(text.slice(0, 200))
          return String(response.status)
        },
        () => 'broken',
      )
      options.onAnswer?.('rules', performance.now() - askedAtMs)
      count(reads, status)
      if (status === '503' && performance.now() - askedAtMs >= lateMs) late.reads += 1
      if (status === '200') {
        readSilenceMs = Math.max(readSilenceMs, performance.now() - lastReadMs)
        lastReadMs = performance.now()
      }
      await sleep(pauseMs)
    }
  }

  const running = [...Array.from({ length: senders }, async (_, at) => await send(at)), read()]
  async function stop(): Promise<void> {
    stopping.abort()
    await Promise.all(running)
  }

  return {
    tenants,
    accessToken,
    capped,
    room,
    answers,
    reads,
    late,
    said,
    reset() {
      silenceMs = 0
      readSilenceMs = 0
      lastMs = performance.now()
      lastReadMs = lastMs
      watchEach()
    },
    longestGapsMs: () => [...sinceOf.values()].map((since) => Math.max(since.gapMs, performance.now() - since.lastMs)),
    longestReadSilenceMs: () => Math.max(readSilenceMs, performance.now() - lastReadMs),
    longestSilenceMs: () => Math.max(silenceMs, performance.now() - lastMs),
    stop,
    async finish() {
      await stop()
      const untilMs = performance.now() + finishDeadlineMs
      for (const tenant of tenants)
        for (let batch = tenant.left.shift(); batch !== undefined; batch = tenant.left.shift()) {
          if (!(await sendOne(tenant, batch))) await sleep(againMs)
          if (performance.now() > untilMs) throw new Error('what was left could not be sent')
        }
    },
  }
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}

function nameReply({ status, rejected, headers }: Pick<Reply, 'status' | 'rejected' | 'headers'>): string {
  if (status === 503 && !headers.has('retry-after')) return '503 without Retry-After'
  return rejected > 0 ? `${status} with rejections` : String(status)
}
