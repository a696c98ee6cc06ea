// Limits the concurrent requests of one workspace, and of one user, to fewer than there are connections in a pool, so that some are left for
// others.
import { Outage } from '../base/fault.ts'
import { makeKeyedSemaphore } from '../base/keyed-semaphore.ts'
import type { JsonRoute, KeyIdentity, PublicRefusal, Route, Session } from './route.ts'

export type ShareLimits = {
  /** Requests of one workspace, and of one user, that run at once in this process. */
  readonly concurrent: number
  /** Number of further requests of the workspace, and of the user, that may wait. Above it, or after the longest wait, a request is refused with 429. */
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

export type Shares = {
  /** Returns the same routes, with those limited that `isLimited` accepts, over all routes of these shares together. */
  limit(routes: readonly Route[], isLimited: (route: JsonRoute) => boolean): Route[]
  /** Number of requests that wait for others of their workspaces or users. */
  waiting(): number
}

type Handle = JsonRoute['handle']

/**
 * The shares of one pool. A request of a user counts for the user and, if the route has checked that the user is a member of a workspace, for
 * the workspace: a user with several workspaces has no more than others. A request is skipped if its client disconnects while it waits.
 */
export function makeShares({ concurrent, maxWaiting, maxWaitMs }: ShareLimits): Shares {
  const shares = makeKeyedSemaphore(concurrent, maxWaiting, maxWaitMs, 429)

  async function runInTurn(keys: readonly string[], handle: Handle, input: Parameters<Handle>[0]): ReturnType<Handle> {
    // Created before the wait, and only for requests that wait.
    const gone = shares.isFull(keys) ? input.request.signal() : null
    return await shares.run(keys, async () => {
      if (gone?.aborted === true) throw new Outage('limit', 'the client has gone')
      return await handle(input)
    })
  }

  const limitOne = (route: JsonRoute): Route => {
    const { handle, refusals } = route
    const inTurn: Handle = async (input) => await runInTurn(listOwners(route, input), handle, input)
    return { ...route, refusals: { ...refusals, limited }, handle: inTurn }
  }
  return {
    limit: (routes, isLimited) =>
      routes.map((route) => (route.kind === 'json' && isLimited(route) ? limitOne(route) : route)),
    waiting: shares.waiting,
  }
}

/** Ids are unique among users and workspaces. */
function listOwners({ role, auth }: JsonRoute, { who, params }: Parameters<Handle>[0]): string[] {
  if (auth === 'key') return [(who as KeyIdentity).workspaceId]
  const { userId } = who as Session
  return role === null ? [userId] : [userId, (params as { workspace_id: string }).workspace_id]
}

/** For the OpenAPI document only; the thrown Outage, which has the time to wait, writes the answer. */
export const limited: PublicRefusal = { status: 429, detail: 'Too many requests' }

/** A read of a workspace. Long polls are not limited, since they wait most of their time, nor are streams, which have their own limits. */
export const isRead = ({ method, role, streams, polls }: JsonRoute): boolean =>
  method === 'GET' && role !== null && streams === null && !polls

export const isChange = ({ method, auth }: JsonRoute): boolean => method !== 'GET' && auth !== 'none'

/** Routes without a credential have limits by address. */
export const isAuthenticated = ({ auth }: JsonRoute): boolean => auth !== 'none'
