// Floor 3. How a front asks the actor of a workspace, within a deadline, and learns that it has to do without.
import { Busy, NoResponders, type Transport, TransportTimeout, Unavailable } from '../bus/transport.ts'
import { decodeReply, encodeEnvelope, type FailureCode } from './envelope.ts'
import { partitionOf } from './partition.ts'
import { type Operation, operationSubject } from './subjects.ts'
import type { RulesText } from './workspace-actor.ts'

/** Who owns a partition now. */
export type Route = { readonly token: string; readonly epoch: number }

export type RequestResult = 'ok' | 'no_route' | 'no_responders' | 'timeout' | 'unavailable' | FailureCode

export type RouterOptions = {
  readonly transport: Transport
  readonly boot: string
  /** Null where no owner is known. */
  readonly route: (partition: number) => Route | null
  readonly onRequest: (operation: Operation, result: RequestResult) => void
  /** Told each time a caller has to go without the actor. */
  readonly onFallback: (path: 'ingest' | 'rules') => void
}

/** Everywhere null means: no actor answered, go to the database directly. Nothing throws. */
export type ActorRouter = {
  /** How many spans of the batch may be stored; `granted` null is unlimited. Safe to repeat with the same key. */
  reserve(workspaceId: string, batchKey: string, spans: number): Promise<{ readonly granted: number | null } | null>
  /** What the batch of that key really stored, after its commit. Nobody waits; a lost one costs a read of the database later. */
  settle(workspaceId: string, batchKey: string, inserted: number): void
  snapshot(workspaceId: string, ifVersion: number | null): Promise<RulesText | 'same' | null>
}

const reserveDeadlineMs = 400
const snapshotDeadlineMs = 150

export function makeActorRouter(options: RouterOptions): ActorRouter {
  let sent = 0

  function address(workspaceId: string, operation: Operation, budgetMs: number, body: object) {
    const partition = partitionOf(workspaceId)
    const route = options.route(partition)
    if (route === null) return null
    sent += 1
    const reqId = `${options.boot}-${sent.toString(36)}`
    return {
      subject: operationSubject(partition, route.token, operation),
      bytes: encodeEnvelope({ op: operation, ws: workspaceId, epoch: route.epoch, reqId, budgetMs, body }),
    }
  }

  async function ask(workspaceId: string, operation: Operation, timeoutMs: number, body: object): Promise<Asked> {
    const message = address(workspaceId, operation, timeoutMs, body)
    if (message === null) return { ok: false, result: 'no_route' }
    try {
      const reply = decodeReply(await options.transport.request(message.subject, message.bytes, { timeoutMs }))
      if (reply === null) return { ok: false, result: 'failed' }
      return reply.ok ? reply : { ok: false, result: reply.code }
    } catch (error) {
      return { ok: false, result: nameFailure(error) }
    }
  }

  /** Asks, counts, and reads the answer; null where there is none or it makes no sense. */
  async function read<T>(
    asking: Promise<Asked>,
    operation: Operation,
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
      const message = address(workspaceId, 'settle', 0, { batchKey, inserted })
      if (message !== null) options.transport.publish(message.subject, message.bytes)
      options.onRequest('settle', message === null ? 'no_route' : 'ok')
    },
    snapshot: (workspaceId, ifVersion) =>
      read(ask(workspaceId, 'snapshot', snapshotDeadlineMs, { ifVersion }), 'snapshot', parseSnapshot),
  }
}

type Asked = { readonly ok: true; readonly body: unknown } | { readonly ok: false; readonly result: RequestResult }

function nameFailure(error: unknown): RequestResult {
  if (error instanceof NoResponders) return 'no_responders'
  if (error instanceof TransportTimeout) return 'timeout'
  if (error instanceof Busy) return 'busy'
  if (error instanceof Unavailable) return 'unavailable'
  throw error
}

function parseGrant(body: unknown): { readonly granted: number | null } | null {
  const { granted } = (body ?? {}) as { granted?: unknown }
  return granted === null || isCount(granted) ? { granted } : null
}

function parseSnapshot(body: unknown): RulesText | 'same' | null {
  const { same, version, text } = (body ?? {}) as { same?: unknown; version?: unknown; text?: unknown }
  if (same === true) return 'same'
  return isCount(version) && typeof text === 'string' ? { version, text } : null
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
