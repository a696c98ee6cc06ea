// Sends requests of a front to the actor of a workspace, within a deadline, and reports when the front has to proceed without the actor.
import type { Transport } from '../bus/transport.ts'
import { makeAskOwner, type OwnerAnswer, type RequestResult } from './ask-owner.ts'
import { makeBreaker } from './breaker.ts'
import type { Clock } from './clock.ts'
import { encodeEnvelope, isCount } from './envelope.ts'
import { partitionOf } from './partition.ts'
import { makeRetryBudget } from './retry-budget.ts'
import type { PartitionRoute, RouteTable } from './route-table.ts'
import { decodeRulesAnswer, encodeRulesQuestion, type RulesText } from './rules-message.ts'
import { type Operation, operationSubject } from './subjects.ts'

type Asking = Exclude<Operation, 'ping'>

export type RouterOptions = {
  readonly transport: Pick<Transport, 'request' | 'publish' | 'onState'>
  readonly boot: string
  readonly routes: Pick<RouteTable, 'get' | 'watch' | 'changed'>
  readonly clock: Clock
  readonly onRequest: (operation: Asking, result: RequestResult) => void
  /** Called each time a request is repeated. */
  readonly onRetry: () => void
  /** Called each time a caller has to proceed without the actor. */
  readonly onFallback: (path: 'ingest' | 'rules') => void
  readonly random?: () => number
}

/** In all results null means that no actor answered and the caller must use the database directly. Nothing throws. */
export type ActorRouter = {
  /** Asks how many spans of the batch may be stored; `granted` null: unlimited. Safe to repeat with the same key. */
  reserve(workspaceId: string, batchKey: string, spans: number): Promise<{ readonly granted: number | null } | null>
  /**
   * Reports how many spans the batch of that key actually stored, after its commit. Does not wait. A lost message costs the actor one read
   * of the database later.
   */
  settle(workspaceId: string, batchKey: string, inserted: number): void
  snapshot(workspaceId: string, ifVersion: string | null): Promise<RulesText | 'same' | null>
  /** Number of partitions whose owner hangs and is skipped. */
  readonly openBreakers: () => number
  readonly stop: () => void
}

const reserveDeadlineMs = 400
const snapshotDeadlineMs = 150

export function makeActorRouter(options: RouterOptions): ActorRouter {
  const { transport, routes, clock } = options
  const breaker = makeBreaker(clock)
  let isUp = true
  const forget = transport.onState((state) => {
    isUp = state === 'up'
  })
  const askOwner = makeAskOwner({
    transport,
    routes,
    clock,
    breaker,
    budget: makeRetryBudget(clock),
    isUp: () => isUp,
    onRetry: options.onRetry,
    random: options.random ?? Math.random,
  })
  let sent = 0

  function address(workspaceId: string, operation: Asking, body: object) {
    const partition = partitionOf(workspaceId)
    sent += 1
    const reqId = `${options.boot}-${sent.toString(36)}`
    const write = ({ token, epoch }: PartitionRoute, budgetMs: number) => ({
      subject: operationSubject(partition, token, operation),
      bytes: encodeEnvelope({ op: operation, ws: workspaceId, epoch, reqId, budgetMs, body }),
    })
    return { partition, write }
  }

  function ask(workspaceId: string, operation: Asking, timeoutMs: number, body: object): Promise<OwnerAnswer> {
    const { partition, write } = address(workspaceId, operation, body)
    return askOwner(partition, write, timeoutMs)
  }

  /** Awaits and counts the request, and parses the answer. Returns null if there is no answer or it is malformed. */
  async function read<T>(
    asking: Promise<OwnerAnswer>,
    operation: Asking,
    parse: (body: unknown) => T | null,
  ): Promise<T | null> {
    const asked = await asking
    const value = asked.ok ? parse(asked.body) : null
    options.onRequest(operation, asked.ok ? (value === null ? 'failed' : 'ok') : asked.result)
    if (value === null) options.onFallback(operation === 'snapshot' ? 'rules' : 'ingest')
    return value
  }

  return {
    reserve: (workspaceId, batchKey, spans) =>
      read(ask(workspaceId, 'reserve', reserveDeadlineMs, { batchKey, spans }), 'reserve', parseGrant),
    settle(workspaceId, batchKey, inserted) {
      const { partition, write } = address(workspaceId, 'settle', { batchKey, inserted })
      const route = routes.get(partition)
      const message = route === null ? null : write(route, 0)
      if (message !== null) transport.publish(message.subject, message.bytes)
      options.onRequest('settle', message === null ? 'no_route' : 'ok')
    },
    snapshot: (workspaceId, ifVersion) =>
      read(
        ask(workspaceId, 'snapshot', snapshotDeadlineMs, encodeRulesQuestion(ifVersion)),
        'snapshot',
        decodeRulesAnswer,
      ),
    openBreakers: breaker.open,
    stop: forget,
  }
}

function parseGrant(body: unknown): { readonly granted: number | null } | null {
  const { granted } = (body ?? {}) as { granted?: unknown }
  return granted === null || isCount(granted) ? { granted } : null
}
