// Sends one request to the owner of a partition, within a deadline. Retries if the owner has changed, and gives up early if the owner
// hangs.
import { Busy, NoResponders, type Transport, TransportTimeout, Unavailable } from '../bus/transport.ts'
import type { Breaker } from './breaker.ts'
import type { Clock } from './clock.ts'
import { decodeReply, type FailureCode } from './envelope.ts'
import type { RetryBudget } from './retry-budget.ts'
import type { PartitionRoute, RouteTable } from './route-table.ts'

/** `superseded`: the partition got another owner during the request; only the answers of the new owner count from then on. */
export type RequestResult =
  | 'ok'
  | 'no_route'
  | 'no_responders'
  | 'timeout'
  | 'unavailable'
  | 'breaker_open'
  | 'superseded'
  | FailureCode

export type OwnerAnswer = { readonly ok: true; readonly body: unknown } | Refused
type Refused = { readonly ok: false; readonly result: RequestResult }

export type AskOwnerOptions = {
  readonly transport: Pick<Transport, 'request'>
  readonly routes: Pick<RouteTable, 'get' | 'watch' | 'changed'>
  readonly clock: Clock
  readonly budget: RetryBudget
  readonly breaker: Breaker
  /** Whether the transport is connected. If it is not, the request fails at once. */
  readonly isUp: () => boolean
  readonly onRetry: () => void
  /** At least 0 and below 1. */
  readonly random: () => number
}

export type OutgoingMessage = { readonly subject: string; readonly bytes: Uint8Array }

/** Encodes the request for this route; `budgetMs` is how long the caller waits for the answer. */
export type Address = (route: PartitionRoute, budgetMs: number) => OutgoingMessage

const maxAttempts = 3
const routeWaitMs = 50
const firstPauseMs = 20

/** Rejects only because of a bug. Requests may be repeated, so they must be idempotent. */
export function makeAskOwner(options: AskOwnerOptions) {
  const { transport, routes, clock, budget, breaker } = options

  async function send(
    partition: number,
    route: PartitionRoute,
    { subject, bytes }: OutgoingMessage,
    timeoutMs: number,
  ): Promise<OwnerAnswer> {
    const superseded = Promise.withResolvers<Refused>()
    const unwatch = routes.watch(partition, () => {
      const now = routes.get(partition)
      if (now !== null && now.token !== route.token) superseded.resolve(refuse('superseded'))
    })
    try {
      // Ignores an answer of the old owner once the route has changed: a caller that has seen an answer of the new owner must not get an
      // older one afterwards.
      return await Promise.race([exchange(partition, route, subject, bytes, timeoutMs), superseded.promise])
    } finally {
      unwatch()
    }
  }

  async function exchange(
    partition: number,
    { epoch }: PartitionRoute,
    subject: string,
    bytes: Uint8Array,
    timeoutMs: number,
  ): Promise<OwnerAnswer> {
    try {
      const reply = decodeReply(await transport.request(subject, bytes, { timeoutMs }))
      breaker.succeed(partition, epoch)
      if (reply === null) return refuse('failed')
      return reply.ok ? reply : refuse(reply.code)
    } catch (error) {
      const result = nameFailure(error)
      if (result === 'timeout') breaker.timeOut(partition, epoch)
      return refuse(result)
    }
  }

  /**
   * Waits for a new owner for up to 50 ms, and if none appears, for a pause that grows with each attempt. Returns false if the time is up.
   */
  async function pause(
    partition: number,
    route: PartitionRoute | null,
    attempt: number,
    leftMs: () => number,
  ): Promise<boolean> {
    const hasChanged = await routes.changed(partition, route?.token ?? null, Math.min(routeWaitMs, leftMs()))
    if (!hasChanged) {
      const pauseMs = firstPauseMs * 2 ** (attempt - 1) * (0.5 + options.random() / 2)
      await new Promise<void>((done) => void clock.after(Math.min(pauseMs, Math.max(leftMs(), 0)), done))
    }
    return leftMs() > 0
  }

  return async (partition: number, address: Address, timeoutMs: number): Promise<OwnerAnswer> => {
    const untilMs = clock.nowMs() + timeoutMs
    const leftMs = (): number => untilMs - clock.nowMs()
    budget.earn()
    for (let attempt = 1; ; attempt += 1) {
      if (!options.isUp()) return refuse('unavailable')
      const route = routes.get(partition)
      if (route !== null && !breaker.allows(partition, route.epoch)) return refuse('breaker_open')
      const asked =
        route === null ? refuse('no_route') : await send(partition, route, address(route, leftMs()), leftMs())
      if (asked.ok || !mayFindAnother.has(asked.result) || attempt === maxAttempts || !budget.take()) return asked
      options.onRetry()
      if (!(await pause(partition, route, attempt, leftMs))) return asked
    }
  }
}

/** After these results another process may own the partition, or will soon. */
const mayFindAnother: ReadonlySet<RequestResult> = new Set([
  'no_route',
  'no_responders',
  'not_owner',
  'fenced',
  'superseded',
])

const refuse = (result: RequestResult): Refused => ({ ok: false, result })

function nameFailure(error: unknown): RequestResult {
  if (error instanceof NoResponders) return 'no_responders'
  if (error instanceof TransportTimeout) return 'timeout'
  if (error instanceof Busy) return 'busy'
  if (error instanceof Unavailable) return 'unavailable'
  throw error
}
